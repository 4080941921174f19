import { Chip } from '@mui/material'
import { amountFromWire } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { languageOf } from '@sum28/ui/languages.ts'
import type { ReactNode } from 'react'
import { useListContext, useRecordContext, useTranslate } from 'react-admin'
import { useZone } from '#src/data/session.ts'

/** The language of the console's numbers; staff read English. */
export const TAG = 'en-GB'

/**
 * An amount as the app shows it, with its unit.
 *
 * @param props `decimals`: at least so many are shown, for a column of amounts that stand by their points
 */
export function MoneyText({
  value,
  plus,
  decimals = 0,
}: {
  value: string
  plus?: boolean
  decimals?: number
}) {
  const amount = amountFromWire(value)
  const text = amountText(amount, { tag: TAG, decimals: 'all', ...(plus && { plus }) })
  return <span className="num">{text.padEnd(text.indexOf('.') + 1 + decimals, '0')} u</span>
}

/** The most decimals of some amounts. */
export function decimalsOf(values: readonly string[]): number {
  return Math.max(...values.map((value) => value.split('.')[1]?.length ?? 0), 0)
}

/** A field of a list's record that is an amount on the wire: decimal text. */
export function Money({ source }: { source: string }) {
  const record = useRecordContext()
  const { data = [] } = useListContext()
  const value = record?.[source]
  if (typeof value !== 'string') return '—'
  const column = data.map((row) => row[source]).filter((each) => typeof each === 'string')
  return <MoneyText value={value} decimals={decimalsOf(column)} />
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

/** The same; null without an instant. */
export function moment(at: number | null): ReactNode {
  return at === null ? null : <MomentText at={at} />
}

/** A field of the record that is an instant: unix seconds, or null. */
export function Moment({ source }: { source: string }) {
  const record = useRecordContext()
  const at = record?.[source]
  return typeof at === 'number' ? <MomentText at={at} /> : '—'
}

/** A language in its own name; its tag if the product does not have it. */
export function languageName(lang: string): string {
  return languageOf(lang)?.name ?? lang
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
  return <Chip color={tones[state] ?? 'default'} label={translate(`${texts}.${state}`)} />
}
