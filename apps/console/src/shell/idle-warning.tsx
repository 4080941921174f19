import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Typography,
} from '@mui/material'
import { useEffect, useState } from 'react'
import { useLogout, useNotify, useTranslate } from 'react-admin'
import { isSessionEnd } from '#src/data/call.ts'
import { loadSession, sessionOrNull } from '#src/data/session.ts'

/** From how many seconds on before its end the session's end is announced. */
const WARN_SECONDS = 120
/** How often the server is asked how long the session still lasts: another window may keep it alive. */
const ASK_MS = 20_000

/** Warns before the session ends because nobody did anything, and leaves when it has ended. */
export function IdleWarning() {
  const translate = useTranslate()
  const logout = useLogout()
  const notify = useNotify()
  const [endsAt, setEndsAt] = useState<number | null>(null)
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    let over = false
    async function ask() {
      try {
        const session = await loadSession()
        const seconds = Math.min(session.idle_seconds_left, session.seconds_left)
        if (!over) setEndsAt(Date.now() + seconds * 1000)
      } catch (error) {
        // Without a network the last answer counts.
        if (over || !isSessionEnd(error) || !sessionOrNull()) return
        notify('console.session.ended', { type: 'warning' })
        await logout()
      }
    }
    void ask()
    const asking = setInterval(ask, ASK_MS)
    const ticking = setInterval(() => setNow(Date.now()), 1_000)
    return () => {
      over = true
      clearInterval(asking)
      clearInterval(ticking)
    }
  }, [logout, notify])

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
        <Button
          variant="contained"
          autoFocus
          onClick={() =>
            void loadSession()
              .then((session) => setEndsAt(Date.now() + session.idle_seconds_left * 1000))
              .catch(() => logout())
          }
        >
          {translate('console.session.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
