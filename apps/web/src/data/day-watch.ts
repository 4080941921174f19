import { addDays, type Day, dayOf, startOfDay } from '@sum28/domain/schedule.ts'

/** The longest time between two checks: a device may sleep over midnight. */
const CHECK_EVERY_MS = 60_000

/**
 * Calls `onDay` when a new calendar day has begun in a time zone: at midnight there, or when a
 * hidden page is shown again. Returns a function that stops it.
 *
 * @param zone an IANA time zone name
 */
export function watchDay(zone: string, onDay: (day: Day) => void): () => void {
  let day = dayOf(zone, Date.now())
  let timer: ReturnType<typeof setTimeout> | undefined

  function check() {
    clearTimeout(timer)
    const now = Date.now()
    const today = dayOf(zone, now)
    const midnightMs = startOfDay(zone, addDays(today, 1)) - now
    timer = setTimeout(check, Math.min(CHECK_EVERY_MS, Math.max(1, midnightMs)))
    if (today === day) return
    day = today
    onDay(today)
  }

  document.addEventListener('visibilitychange', check)
  check()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', check)
  }
}
