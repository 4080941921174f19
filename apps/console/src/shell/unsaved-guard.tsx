import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useEffect, useId } from 'react'
import { useTranslate } from 'react-admin'
import { useBlocker } from 'react-router'
import { sessionOrNull } from '#src/data/session.ts'
import { somethingIsUnsaved } from '#src/data/unsaved.ts'

/** Asks before a page with something unsaved is left; at the end of a session nothing can be saved. */
export function UnsavedGuard() {
  const translate = useTranslate()
  const id = useId()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      somethingIsUnsaved() &&
      sessionOrNull() !== null &&
      currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    // The browser asks in its own words.
    const onLeave = (event: BeforeUnloadEvent) => {
      if (somethingIsUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => window.removeEventListener('beforeunload', onLeave)
  }, [])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog open onClose={() => blocker.reset()} aria-labelledby={id}>
      <DialogTitle id={id}>{translate('console.unsaved.title')}</DialogTitle>
      <DialogContent>{translate('console.unsaved.text')}</DialogContent>
      <DialogActions>
        <Button color="error" onClick={() => blocker.proceed()}>
          {translate('console.unsaved.leave')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => blocker.reset()}>
          {translate('console.unsaved.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
