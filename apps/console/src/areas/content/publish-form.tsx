import { Alert, Card, Stack, TextField } from '@mui/material'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { PieceForms } from '#src/areas/content/piece-forms.ts'
import { useMay, useZone } from '#src/data/session.ts'
import { unsavedForms, useUnsaved } from '#src/data/unsaved.ts'
import { useAction } from '#src/data/use-action.ts'
import { instantOf, typedTime } from '#src/data/zone-time.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { ConfirmButton } from '#src/parts/confirm-button.tsx'

/** The times between which a piece is shown, and the buttons that publish and withdraw it. */
export function PublishForm({ seen, onSaved }: PieceForms) {
  const translate = useTranslate()
  const zone = useZone()
  const may = useMay()
  const publishing = useAction(wire.publishPiece, { done: 'areas.content.isPublished' })
  const before = {
    from: initial(seen.published_at, zone),
    until: seen.state === 'withdrawn' ? '' : initial(seen.published_until, zone),
  }
  const [from, setFrom] = useState(before.from)
  const [until, setUntil] = useState(before.until)
  const typed = from !== before.from || until !== before.until
  useUnsaved(typed)
  const { kind, id, version, state } = seen
  const form = { kind, id, version }
  const faults = publishing.failure?.fields ?? {}
  const editable = may(wire.publishPiece.action)

  /** A time that was not changed is the same instant as before. Of a text that is none the server says so. */
  const sent = (name: 'from' | 'until', text: string, was: number | null) =>
    text !== '' && { [name]: (text === before[name] && was) || (instantOf(text, zone) ?? text) }

  async function publish(): Promise<void> {
    const done = await publishing.act({
      ...form,
      ...sent('from', from, seen.published_at),
      ...sent('until', until, seen.published_until),
    })
    if (done) onSaved(done.reply)
  }

  const time = (name: 'from' | 'until', value: string, set: (text: string) => void) => (
    <TextField
      type="datetime-local"
      label={translate(`areas.content.${name}`, { zone })}
      value={value}
      disabled={!editable}
      error={name in faults}
      helperText={faults[name] ?? translate(`areas.content.${name}Hint`)}
      onChange={(event) => set(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  )
  return (
    <Card sx={{ padding: 2 }}>
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'start' }}>
        {time('from', from, setFrom)}
        {time('until', until, setUntil)}
        {editable && (
          <Stack direction="row" sx={{ gap: 1, paddingTop: 1 }}>
            <ConfirmButton
              label={state === 'published' ? 'areas.content.publishAgain' : 'areas.content.publish'}
              // The times are sent with it; the texts beside them are not.
              warn={() => (unsavedForms() > (typed ? 1 : 0) ? 'areas.content.unsavedText' : null)}
              pending={publishing.pending}
              act={publish}
            >
              {translate('areas.content.publishText')}
            </ConfirmButton>
            {(state === 'published' || state === 'scheduled') && (
              <ActionButton
                route={wire.withdrawPiece}
                request={form}
                label="areas.content.withdraw"
                done="areas.content.isWithdrawn"
                then={onSaved}
                tone="error"
              >
                {translate('areas.content.withdrawText')}
              </ActionButton>
            )}
          </Stack>
        )}
      </Stack>
      {faults.html !== undefined && (
        <Alert severity="error" sx={{ marginTop: 2 }}>
          {faults.html}
        </Alert>
      )}
    </Card>
  )
}

function initial(at: number | null, zone: string): string {
  return at === null ? '' : typedTime(at, zone)
}
