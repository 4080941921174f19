/** Time zones and instants for tests: ordinary ones, and some near clock changes. */
import fc from 'fast-check'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The instant of an ISO text with an offset, in milliseconds since 1970. */
export function at(text: string): number {
  const instant = Date.parse(text)
  if (Number.isNaN(instant)) throw new Error(`${text} is no instant`)
  return instant
}

export const ZONES = [
  'Asia/Singapore',
  'UTC',
  'America/New_York',
  'Europe/London',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const

/** 2000 to 2037, with many instants near clock changes. */
export const anyInstant = fc.oneof(
  fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2037-01-01T00:00:00Z') }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-08T07:00:00Z', // New York, forward
        '2026-11-01T06:00:00Z', // New York, back
        '2026-03-29T01:00:00Z', // London, forward
        '2026-10-25T01:00:00Z', // London, back
        '2026-04-04T14:00:00Z', // Chatham, back
        '2026-09-26T14:00:00Z', // Chatham, forward
        '2026-04-04T15:00:00Z', // Lord Howe, back by half an hour
        '2026-10-03T15:30:00Z', // Lord Howe, forward by half an hour
        '2026-09-06T04:00:00Z', // Santiago, forward over midnight
        '2026-04-05T03:00:00Z', // Santiago, back over midnight
        '2010-11-07T02:31:00Z', // St John's, back over midnight by a minute more
        '2026-11-01T05:00:00Z', // Havana, back to midnight
        '2011-12-30T10:00:00Z', // Apia, a day skipped
      ),
      fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }),
    )
    .map(([change, distance]) => at(change) + distance),
)
