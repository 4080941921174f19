import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Typography,
} from '@mui/material'
import { useCallback, useEffect, useState } from 'react'
import { useLogout, useNotify, useTranslate } from 'react-admin'
import { isSessionEnd } from '#src/data/call.ts'
import { loadSession, sessionOrNull } from '#src/data/session.ts'

/** The seconds before the end of the session at which the warning appears. */
const WARN_SECONDS = 120
/** How often the remaining time is fetched: another window may keep the session alive. */
const POLL_MS = 20_000

/** Warns before the session ends for inactivity, and signs out when it has ended. */
export function IdleWarning() {
  const translate = useTranslate()
  const logout = useLogout()
  const notify = useNotify()
  const [endsAt, setEndsAt] = useState<number | null>(null)
  const [now, setNow] = useState(() => Date.now())

  /** Fetches when the session ends; after a press of a button this also keeps it alive. */
  const poll = useCallback(async () => {
    try {
      const session = await loadSession()
      const seconds = Math.min(session.idle_seconds_left, session.seconds_left)
      setEndsAt(Date.now() + seconds * 1000)
    } catch (error) {
      // Without a network the last answer is used.
      if (!isSessionEnd(error) || !sessionOrNull()) return
      notify('console.session.ended', { type: 'warning' })
      await logout()
    }
  }, [logout, notify])

  useEffect(() => {
    void poll()
    const timer = setInterval(poll, POLL_MS)
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => {
      clearInterval(timer)
      clearInterval(ticking)
    }
  }, [poll])

  const seconds = endsAt === null ? Infinity : Math.max(0, Math.ceil((endsAt - now) / 1000))
  if (seconds > WARN_SECONDS) return null
  return (
    <Dialog open aria-labelledby="idle-title">
      <DialogTitle id="idle-title">{translate('console.session.ending')}</DialogTitle>
      <DialogContent>
        <Typography>{translate('console.session.endsIn', { seconds })}</Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="text" onClick={() => void logout()}>
          {translate('ra.auth.logout')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => void poll()}>
          {translate('console.session.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
