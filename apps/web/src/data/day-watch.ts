import { addDays, type Day, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { serverNow, watchServerClock } from '@sum28/ui/server-clock.ts'

/** The longest time between two checks: a device may sleep over midnight. */
const CHECK_EVERY_MS = 60_000

/**
 * Calls `onDay` when a new calendar day has begun in a time zone: at midnight there, when a
 * hidden page is shown again, or when the server's time turns out to be on another day. Returns a function that stops it.
 *
 * @param zone an IANA time zone name
 */
export function watchDay(zone: string, onDay: (day: Day) => void): () => void {
  let day = dayOf(zone, serverNow())
  let timer: ReturnType<typeof setTimeout> | undefined

  function check() {
    clearTimeout(timer)
    const now = serverNow()
    const today = dayOf(zone, now)
    const midnightMs = startOfDay(zone, addDays(today, 1)) - now
    timer = setTimeout(check, Math.min(CHECK_EVERY_MS, Math.max(1, midnightMs)))
    if (today === day) return
    day = today
    onDay(today)
  }

  document.addEventListener('visibilitychange', check)
  const ignoreClock = watchServerClock(check)
  check()
  return () => {
    clearTimeout(timer)
    ignoreClock()
    document.removeEventListener('visibilitychange', check)
  }
}
