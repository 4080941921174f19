import { useRecordContext } from 'react-admin'
import { useZone } from '#src/data/session.ts'
import { TAG } from '#src/parts/money.tsx'

/** An instant in the operator's time zone, which is named: `22 Nov 2026, 10:07:39 GMT+8`. */
function zonedText(unixSeconds: number, zone: string): string {
  return new Intl.DateTimeFormat(TAG, {
    timeZone: zone,
    ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const),
    timeZoneName: 'short',
  }).format(unixSeconds * 1000)
}

export function MomentText({ at }: { at: number }) {
  const zone = useZone()
  return (
    <time className="num-wrap" dateTime={new Date(at * 1000).toISOString()}>
      {zonedText(at, zone)}
    </time>
  )
}

/** A field of the record that is an instant: unix seconds, or null. */
export function Moment({ source }: { source: string }) {
  const record = useRecordContext()
  const at = record?.[source]
  return typeof at === 'number' ? <MomentText at={at} /> : '—'
}
