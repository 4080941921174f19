import {
  Alert,
  Dialog,
  List,
  ListItemButton,
  ListItemText,
  ListSubheader,
  TextField,
} from '@mui/material'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useNavigate } from 'react-router'
import { AREAS } from '#src/areas/all.ts'
import type { SearchHit } from '#src/areas/area.ts'
import { useMay } from '#src/data/session.ts'

const PAUSE_MS = 200

/** What an area's search has answered; null: it failed. */
type Hits = { label: string; found: readonly SearchHit[] | null }

/** The console's search: its pages, and the results of the areas' searches. */
export function SearchDialog({ close }: { close: () => void }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, searching } = useHits(text)
  const all = hits.flatMap(({ found }) => found ?? [])
  const failed = hits.filter(({ found }) => found === null).map(({ label }) => translate(label))

  function open(found: SearchHit | undefined) {
    if (!found) return
    close()
    navigate(found.to)
  }

  return (
    <Dialog
      open
      onClose={close}
      fullWidth
      maxWidth="sm"
      aria-label={translate('console.search.title')}
    >
      <TextField
        autoFocus
        fullWidth
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step) {
            event.preventDefault()
            setAt((at + step + all.length) % Math.max(1, all.length))
          } else if (event.key === 'Enter') {
            // The button that opened the search gets the focus back, and must not get this press.
            event.preventDefault()
            open(all[at])
          }
        }}
        placeholder={translate('console.search.hint')}
        slotProps={{ htmlInput: { 'aria-label': translate('console.search.title') } }}
        sx={{ padding: 2 }}
      />
      <List dense sx={{ paddingTop: 0, maxHeight: '60vh', overflow: 'auto' }}>
        {hits.map(
          ({ label, found }) =>
            found !== null &&
            found.length > 0 && (
              <li key={label}>
                <ListSubheader component="div">{translate(label)}</ListSubheader>
                {found.map((each) => (
                  <ListItemButton
                    key={each.to}
                    selected={each === all[at]}
                    onClick={() => open(each)}
                  >
                    <ListItemText primary={each.title} secondary={each.details} />
                  </ListItemButton>
                ))}
              </li>
            ),
        )}
        {searching && (
          <li>
            <ListItemText inset primary={translate('console.search.searching')} />
          </li>
        )}
        {failed.length > 0 && (
          <li>
            <Alert severity="error">
              {translate('console.search.failed', { names: failed.join(', ') })}
            </Alert>
          </li>
        )}
        {text !== '' && all.length === 0 && !searching && failed.length === 0 && (
          <li>
            <ListItemText inset primary={translate('console.search.nothing')} />
          </li>
        )}
      </List>
    </Dialog>
  )
}

/** The results: pages at once, and those of the areas' searches after a pause. */
function useHits(text: string): { hits: readonly Hits[]; searching: boolean } {
  const may = useMay()
  const translate = useTranslate()
  const wanted = text.trim().toLowerCase()
  const [answers, setAnswers] = useState<{ to: string; hits: readonly Hits[] }>(NO_ANSWERS)
  const searches = AREAS.flatMap((area) => area.searches).filter(({ action }) => may(action))

  useEffect(() => {
    setAnswers({ to: wanted, hits: [] })
    if (wanted.length < 2) return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      for (const { label, find } of searches) {
        const add = (found: Hits['found']) => {
          if (ending.signal.aborted) return
          setAnswers(({ to, hits }) => ({ to, hits: [...hits, { label, found }] }))
        }
        // After a failed search the others continue.
        find(text.trim(), ending.signal).then(add, () => add(null))
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
    // The permissions do not change while the search is open.
  }, [wanted])

  const pages = AREAS.flatMap((area) => area.menu)
    .filter(({ action }) => may(action))
    .map(({ to, label }) => ({ to, title: translate(label), details: '' }))
    .filter(({ title }) => title.toLowerCase().includes(wanted))
  const hits = answers.to === wanted ? answers.hits : []
  return {
    hits: [{ label: 'console.search.pages', found: pages }, ...hits],
    searching: wanted.length >= 2 && hits.length < searches.length,
  }
}

const NO_ANSWERS = { to: '', hits: [] }
