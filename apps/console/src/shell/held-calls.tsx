import { Alert, Button, Portal, Stack } from '@mui/material'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNotify, useRefresh, useTranslate } from 'react-admin'
import { dropHeld, type HeldCall, sendHeld, useHeldCalls } from '#src/data/held-calls.ts'
import { FailureText, type HeldAction, openAgain } from '#src/parts/action-button.tsx'

type Held = HeldCall<HeldAction>

/** On every page: the rejections that are held, which can be undone; and those that could not be sent. */
export function HeldCalls() {
  const translate = useTranslate()
  const calls = useHeldCalls<HeldAction>()
  const [section, made] = useMadeAgain(calls.filter(({ state }) => state === 'failed').length)
  useUndoKey(calls.findLast(({ state }) => state === 'held'))
  if (calls.length === 0) return null
  return (
    <Portal>
      <Stack
        key={made}
        ref={section}
        component="section"
        aria-label={translate('console.held.title')}
        sx={{
          position: 'fixed',
          bottom: 88,
          left: '50%',
          transform: 'translateX(-50%)',
          gap: 1,
          width: 'min(36rem, calc(100vw - 32px))',
          zIndex: 'snackbar',
        }}
      >
        {calls.map((each) => (
          <OneHeld key={each.key} held={each} />
        ))}
      </Stack>
    </Portal>
  )
}

/**
 * A dialog hides from readers what was there when it opened. What comes later is heard: a failure beneath a dialog makes
 * its element anew.
 *
 * @returns for the element: its `ref` and its `key`
 */
function useMadeAgain(failures: number): [RefObject<HTMLElement | null>, number] {
  const element = useRef<HTMLElement>(null)
  const [made, setMade] = useState(0)
  useEffect(() => {
    const isHidden = element.current?.closest('[aria-hidden="true"]')
    if (failures > 0 && isHidden) setMade((before) => before + 1)
  }, [failures])
  return [element, made]
}

/** Takes back what is not sent, and says which it was: several can look alike. */
function useUndo(): (held: Held) => void {
  const translate = useTranslate()
  const notify = useNotify()
  return ({ key, shown: { action } }) => {
    dropHeld(key)
    notify(
      <Alert severity="info" variant="outlined" sx={SOLID}>
        {translate('console.held.undone', { action: translate(action.label) })} {action.children}
      </Alert>,
    )
  }
}

/** Ctrl+Z outside of a field takes back the last that is held. */
function useUndoKey(last: Held | undefined): void {
  const undo = useUndo()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)
    if (!last || !isUndo || event.defaultPrevented || isField(event.target)) return
    event.preventDefault()
    undo(last)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function OneHeld({ held }: { held: Held }) {
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const { key, state, shown, failure } = held
  const { label, children, done, then } = shown.action
  const action = translate(label)

  useEffect(() => {
    // Another person may have changed the data, so it is fetched again.
    if (state === 'done' || (state === 'failed' && failure?.reason !== 'unreachable')) refresh()
    if (state !== 'done') return
    dropHeld(key)
    if (done) notify(done, { type: 'success' })
    // The reply to a rejection says nothing.
    then?.(null)
  }, [state, failure, key, done, then, notify, refresh])

  if (state === 'failed') {
    return (
      <Alert severity="error" variant="outlined" sx={SOLID}>
        {translate('console.held.failed', { action })} {children}
        {failure && <FailureText failure={failure} />}
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {failure?.reason === 'unreachable' ? (
            <Button onClick={() => void sendHeld(key)}>{translate('console.again')}</Button>
          ) : (
            <Button onClick={() => openAgain(held) && dropHeld(key)}>
              {translate('console.held.openAgain')}
            </Button>
          )}
          <Button onClick={() => dropHeld(key)}>{translate('ra.action.close')}</Button>
        </Stack>
      </Alert>
    )
  }
  return state === 'done' ? null : <Waiting held={held} />
}

/** Not see-through, over whatever stands beneath it. */
const SOLID = { bgcolor: 'background.paper', boxShadow: 8 }

/** Counts down, and is undone by its button. */
function Waiting({ held }: { held: Held }) {
  const { key, state, until, shown } = held
  const translate = useTranslate()
  const undo = useUndo()
  const [now, setNow] = useState(() => Date.now())
  const isHeld = state === 'held'

  useEffect(() => {
    if (!isHeld) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isHeld])

  const action = translate(shown.action.label)
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  return (
    <Alert severity="info" variant="outlined" sx={SOLID}>
      <span aria-live="off">
        {translate(isHeld ? 'console.held.in' : 'console.held.sending', {
          action,
          smart_count: seconds,
        })}
      </span>{' '}
      {shown.action.children}
      {isHeld && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button variant="contained" aria-keyshortcuts="Control+Z" onClick={() => undo(held)}>
            {translate('console.held.undo')}
          </Button>
          <Button onClick={() => void sendHeld(key)}>{translate('console.held.now')}</Button>
        </Stack>
      )}
    </Alert>
  )
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
  )
}
