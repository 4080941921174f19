import { Chip } from '@mui/material'
import { useRecordContext, useTranslate } from 'react-admin'

export type Tone = 'default' | 'success' | 'warning' | 'error'

/** A state of the record, as a text of the catalog, `<texts>.<state>`, and as a colour. */
export function StateChip({
  source,
  texts,
  tones,
}: {
  source: string
  texts: string
  tones: Readonly<Record<string, Tone>>
}) {
  const translate = useTranslate()
  const state = String(useRecordContext()?.[source] ?? '')
  return (
    <Chip
      size="small"
      variant="outlined"
      color={tones[state] ?? 'default'}
      label={translate(`${texts}.${state}`)}
    />
  )
}
