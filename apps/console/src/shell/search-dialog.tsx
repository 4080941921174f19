import { Dialog, List, ListItemButton, ListItemText, ListSubheader, TextField } from '@mui/material'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useNavigate } from 'react-router'
import { AREAS } from '#src/areas/all.ts'
import type { SearchHit } from '#src/areas/area.ts'
import { useMay } from '#src/data/session.ts'

const PAUSE_MS = 200

type Hits = { label: string; found: readonly SearchHit[] }

/** The console's search: its pages, and the results of the areas' searches. */
export function SearchDialog({ close }: { close: () => void }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const hits = useHits(text)
  const all = hits.flatMap(({ found }) => found)

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
        {hits.map(({ label, found }) => (
          <li key={label}>
            <ListSubheader component="div">{translate(label)}</ListSubheader>
            {found.map((each) => (
              <ListItemButton key={each.to} selected={each === all[at]} onClick={() => open(each)}>
                <ListItemText primary={each.title} secondary={each.details} />
              </ListItemButton>
            ))}
          </li>
        ))}
        {text !== '' && all.length === 0 && (
          <li>
            <ListItemText inset primary={translate('console.search.nothing')} />
          </li>
        )}
      </List>
    </Dialog>
  )
}

/** The results: pages at once, and those of the areas' searches after a pause. */
function useHits(text: string): readonly Hits[] {
  const may = useMay()
  const translate = useTranslate()
  const [found, setFound] = useState<readonly Hits[]>([])
  const wanted = text.trim().toLowerCase()

  useEffect(() => {
    setFound([])
    if (wanted.length < 2) return
    const ending = new AbortController()
    const searches = AREAS.flatMap((area) => area.searches).filter(({ action }) => may(action))
    const timer = setTimeout(() => {
      for (const { label, find } of searches) {
        find(text.trim(), ending.signal).then(
          (hits) => {
            if (ending.signal.aborted || hits.length === 0) return
            setFound((before) => [...before, { label, found: hits }])
          },
          // A failed search has no results; the others continue.
          () => {},
        )
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
  return pages.length > 0 ? [{ label: 'console.search.pages', found: pages }, ...found] : found
}
