import Next from '@mui/icons-material/KeyboardArrowDown'
import Before from '@mui/icons-material/KeyboardArrowUp'
import { Button, Stack, Typography } from '@mui/material'
import { useEffect } from 'react'
import { useTranslate } from 'react-admin'
import { useLocation, useNavigate } from 'react-router'
import { neighboursOf } from '#src/data/opened-list.ts'

/** What opens its list or calendar by these keys, or goes by them through its lines. */
const OWN_KEYS = 'select, [role=combobox], [type^=date], textarea, [contenteditable=true]'

/**
 * On a page that was opened from a list: buttons to the next and the previous row, also by the keys Alt+↓
 * and Alt+↑. In a list the keys move the focus from row to row.
 */
export function QueueSteps() {
  const translate = useTranslate()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [, resource = '', id = '', page] = pathname.split('/')
  const beside = page === 'show' ? neighboursOf(resource, decodeURIComponent(id)) : null

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const way = { ArrowDown: 'after', ArrowUp: 'before' }[event.key] as 'after' | 'before'
      if (!way || !event.altKey || event.ctrlKey || event.metaKey || isInDialog()) return
      if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return
      event.preventDefault()
      const to = beside?.[way]
      if (to) navigate(addressOf(resource, to))
      else if (!beside) focusRow(way)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [beside, navigate, resource])

  if (!beside) return null
  const step = (way: 'before' | 'after', to: string | null) => (
    <Button
      size="small"
      startIcon={way === 'after' ? <Next /> : <Before />}
      disabled={to === null}
      aria-keyshortcuts={way === 'after' ? 'Alt+ArrowDown' : 'Alt+ArrowUp'}
      onClick={() => to && navigate(addressOf(resource, to))}
    >
      {translate(`console.queue.${way}`)}
    </Button>
  )
  return (
    <Stack
      direction="row"
      sx={{ gap: 1, alignItems: 'center', justifyContent: 'end', paddingTop: 1 }}
    >
      <Typography variant="body2" color="textSecondary">
        {translate('console.queue.position', beside)}
      </Typography>
      {step('before', beside.before)}
      {step('after', beside.after)}
    </Stack>
  )
}

function addressOf(resource: string, id: string): string {
  return `/${resource}/${encodeURIComponent(id)}/show`
}

function isInDialog(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}

/** Moves the focus to the row after or before the one that has it: to its first button or link, or to itself. */
function focusRow(way: 'after' | 'before'): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at < 0 ? 0 : at + (way === 'after' ? 1 : -1)]
  if (!row) return
  const first = row.querySelector<HTMLElement>('button:not([disabled]), a[href]')
  if (!first) row.tabIndex = -1
  const target = first ?? row
  target.focus()
}
