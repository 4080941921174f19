import {
  Alert,
  Box,
  Dialog,
  List,
  ListItemButton,
  ListItemText,
  ListSubheader,
  TextField,
  Typography,
} from '@mui/material'
import { useEffect, useId, useState } from 'react'
import { useGetResourceLabel, useTranslate } from 'react-admin'
import { useNavigate } from 'react-router'
import { PLACES, RESOURCES } from '#src/areas/all.ts'
import { FOUND_MAX, findRows, type SearchHit } from '#src/data/lists.ts'
import { useMay } from '#src/data/session.ts'
import { useMenuEntries } from '#src/shell/menu-entries.ts'
import { focusNextPage } from '#src/shell/page-focus.ts'

const PAUSE_MS = 200

/** What is found in a list, by the list's name; null: the search failed. `more`: it found more than these. */
type Hits = { label: string; found: readonly SearchHit[] | null; more: boolean }

/** The console's search: its pages, and the rows of its lists. */
export function SearchDialog({ close }: { close: () => void }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const { hits, searching } = useHits(text)
  const all = hits.flatMap(({ found }) => found ?? [])
  const some = hits.some(({ more }) => more) ? 'foundMore' : 'found'
  const outcome = searching ? 'searching' : all.length === 0 ? 'nothing' : some
  const failed = hits.filter(({ found }) => found === null).map(({ label }) => label)

  useEffect(() => {
    document.getElementById(`${id}${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])

  function open(found: SearchHit | undefined) {
    if (!found) return
    close()
    focusNextPage()
    navigate(found.to)
  }

  return (
    <Dialog
      open
      onClose={close}
      fullWidth
      maxWidth="sm"
      slotProps={{ paper: { 'aria-label': translate('console.search.title') } }}
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
          // The keys of an input method, such as the Enter that takes its letters.
          if (event.nativeEvent.isComposing) return
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step) {
            event.preventDefault()
            setAt((at + step + all.length) % Math.max(1, all.length))
          } else if (event.key === 'Enter') {
            // The button that opened the search gets the focus for a moment, and must not get this press.
            event.preventDefault()
            open(all[at])
          }
        }}
        placeholder={translate('console.search.hint')}
        slotProps={{
          htmlInput: {
            'aria-label': translate('console.search.title'),
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-expanded': all.length > 0,
            ...(all[at] && { 'aria-activedescendant': `${id}${at}` }),
          },
        }}
        sx={{ padding: 2 }}
      />
      <List
        component="div"
        id={id}
        role="listbox"
        aria-label={translate('console.search.title')}
        dense
        sx={{ paddingTop: 0, maxHeight: '60vh', overflow: 'auto' }}
      >
        {hits.map(
          ({ label, found }) =>
            found !== null &&
            found.length > 0 && (
              <Box key={label} role="group" aria-label={label}>
                <ListSubheader component="div">{label}</ListSubheader>
                {found.map((each) => (
                  <ListItemButton
                    key={each.to}
                    id={`${id}${all.indexOf(each)}`}
                    role="option"
                    aria-selected={each === all[at]}
                    tabIndex={-1}
                    selected={each === all[at]}
                    onClick={() => open(each)}
                    // Not beneath the heading, which stays above the rows.
                    sx={{ scrollMarginTop: 48 }}
                  >
                    <ListItemText primary={each.title} secondary={each.details} />
                  </ListItemButton>
                ))}
              </Box>
            ),
        )}
      </List>
      {failed.length > 0 && (
        <Alert severity="error">
          {translate('console.search.failed', { names: failed.join(', ') })}
        </Alert>
      )}
      <Typography
        role="status"
        variant="body2"
        color="textSecondary"
        sx={{ paddingInline: 2, paddingBlock: 1 }}
      >
        {(outcome !== 'nothing' || failed.length === 0) &&
          translate(`console.search.${outcome}`, { smart_count: all.length })}
      </Typography>
    </Dialog>
  )
}

/** The results: pages at once, and those of the lists after a pause. */
function useHits(text: string): { hits: readonly Hits[]; searching: boolean } {
  const may = useMay()
  const translate = useTranslate()
  const resourceLabel = useGetResourceLabel()
  const entriesOf = useMenuEntries()
  const wanted = text.trim().toLowerCase()
  const [answers, setAnswers] = useState<{ to: string; hits: readonly Hits[] }>(NO_ANSWERS)
  const searched = RESOURCES.filter(({ search, route }) => search && may(route.action))

  useEffect(() => {
    setAnswers({ to: wanted, hits: [] })
    if (wanted.length < 2) return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      for (const resource of searched) {
        const add = (found: Hits['found']) => {
          if (ending.signal.aborted) return
          const more = found !== null && found.length > FOUND_MAX
          const label = resourceLabel(resource.name)
          const shown = { label, found: found?.slice(0, FOUND_MAX) ?? null, more }
          setAnswers(({ to, hits }) => ({ to, hits: [...hits, shown] }))
        }
        // After a failed search the others continue.
        findRows(resource, text.trim(), ending.signal).then(add, () => add(null))
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
    // The permissions do not change while the search is open.
  }, [wanted])

  const pages = entriesOf(PLACES)
    .map((entry) => ({ to: entry.to, title: entry.text, details: '' }))
    .filter(({ title }) => title.toLowerCase().includes(wanted))
  const hits = answers.to === wanted ? answers.hits : []
  return {
    hits: [{ label: translate('console.search.pages'), found: pages, more: false }, ...hits],
    searching: wanted.length >= 2 && hits.length < searched.length,
  }
}

const NO_ANSWERS = { to: '', hits: [] }
