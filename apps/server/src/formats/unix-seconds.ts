/** Instants on the wire: whole Unix seconds, rounded down. */

/** @param at in milliseconds since 1970 */
export function unixSeconds(at: number): number {
  return Math.floor(at / 1000)
}

/** The same for an instant that may be absent. */
export function unixSecondsOrNull(at: number | null): number | null {
  return at === null ? null : unixSeconds(at)
}
