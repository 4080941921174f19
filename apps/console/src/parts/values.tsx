import { Chip } from '@mui/material'
import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useRecordContext, useTranslate } from 'react-admin'
import { useZone } from '#src/data/session.ts'

/** The language of the console's numbers; staff read English. */
export const TAG = 'en-GB'

/** An amount as the app shows it, with its unit. */
export function MoneyText({ value, plus }: { value: string; plus?: boolean }) {
  return (
    <span className="num">
      {amountText(amountFromWire(value), { tag: TAG, decimals: 'all', ...(plus && { plus }) })} u
    </span>
  )
}

/** A field of the record that is an amount on the wire: decimal text. */
export function Money({ source }: { source: string }) {
  const record = useRecordContext()
  const value = record?.[source]
  return typeof value === 'string' ? <MoneyText value={value} /> : '—'
}

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
const TIME = {
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const),
  timeZoneName: 'short',
} as const

/**
 * An instant in the operator's time zone, which is named: `22 Nov 2026, 10:07:39 GMT+8`. In a narrow column
 * day and time are two lines.
 *
 * @param props `at`: unix seconds
 */
export function MomentText({ at }: { at: number }) {
  const timeZone = useZone()
  const text = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(TAG, { timeZone, ...parts }).format(at * 1000)
  return (
    <time dateTime={new Date(at * 1000).toISOString()}>
      <span className="num">{text(DAY)},</span> <span className="num">{text(TIME)}</span>
    </time>
  )
}

/** A field of the record that is an instant: unix seconds, or null. */
export function Moment({ source }: { source: string }) {
  const record = useRecordContext()
  const at = record?.[source]
  return typeof at === 'number' ? <MomentText at={at} /> : '—'
}

/** A day such as `2026-11-22` in words: `22 Nov 2026`. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat(TAG, { timeZone: 'UTC', ...DAY }).format(new Date(`${day}T00:00Z`))
}

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
