import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useEffect, useId } from 'react'
import { useTranslate } from 'react-admin'
import { useBlocker } from 'react-router'
import { sessionOrNull } from '#src/data/session.ts'
import { somethingIsUnsaved } from '#src/data/unsaved.ts'

/** Asks for confirmation before the user leaves a page with unsaved input, except when the session has ended. */
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
    // The browser shows its own question.
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
