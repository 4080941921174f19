/** The calendar day in a time zone, followed over midnight. */
import { addDays, type Day, dayOf, startOfDay } from '@sum28/domain/schedule.ts'

/** A device that slept wakes up to another day: it is looked at again after this at the latest. */
const LOOK_AGAIN_MS = 60_000

/**
 * Tells when another calendar day has begun in a time zone, and gives what ends it. It is told at
 * midnight there, and when a page that was hidden is seen again.
 *
 * @param zone an IANA time zone name
 */
export function watchDay(zone: string, onDay: (day: Day) => void): () => void {
  let day = dayOf(zone, Date.now())
  let timer: ReturnType<typeof setTimeout> | undefined

  function look() {
    clearTimeout(timer)
    const now = Date.now()
    const today = dayOf(zone, now)
    const midnightMs = startOfDay(zone, addDays(today, 1)) - now
    timer = setTimeout(look, Math.min(LOOK_AGAIN_MS, Math.max(1, midnightMs)))
    if (today === day) return
    day = today
    onDay(today)
  }

  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
