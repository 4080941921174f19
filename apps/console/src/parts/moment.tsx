import { useRecordContext } from 'react-admin'
import { useZone } from '#src/data/session.ts'
import { TAG } from '#src/parts/money.tsx'

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
