/** Instants as staff type them: day and time in the operator's zone, `2026-11-22T10:30`. */

/** @returns unix seconds; null if the text is not such a time */
export function instantOf(text: string, timeZone: string): number | null {
  const asUtc = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  if (Number.isNaN(asUtc)) return null
  // The second try is exact where the zone's offset changes between the two.
  const near = asUtc - offsetMs(asUtc, timeZone)
  return (asUtc - offsetMs(near, timeZone)) / 1000
}

/** @param at unix seconds */
export function typedTime(at: number, timeZone: string): string {
  return new Date(at * 1000 + offsetMs(at * 1000, timeZone)).toISOString().slice(0, 16)
}

/** How far the zone is ahead of UTC at a time, in milliseconds. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...({ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  )
  return wall - Math.floor(at / 1000) * 1000
}
