import { addDays, type Day, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { serverNow, serverTimeOf, watchServerClock } from '@sum28/ui/server-clock.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useZone } from '#src/data/game-zone.ts'
import { profileQuery } from '#src/data/profile.ts'

type GameZone = { readonly zone: string; readonly today: Day }

export function useGameZone(): GameZone {
  const zone = useZone()
  const watch = useCallback((listener: () => void) => watchDay(zone, listener), [zone])
  const today = useSyncExternalStore(watch, () => dayOf(zone, serverNow()))
  return { zone, today }
}

/** The first calculation of a day takes long on a phone: the screen is started first. */
const AFTER_START_MS = 6_000

/** When a day begins, refetches the data that the server counts by days. */
export function useRefetchEachDay(): void {
  const queries = useQueryClient()
  const zone = useZone()
  useEffect(() => {
    const refetch = () => queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    let stop = () => {}
    const timer = setTimeout(() => {
      // By the server's clock, which may not have been known when the profile came.
      const fetchedAt = queries.getQueryState(profileQuery.queryKey)?.dataUpdatedAt
      stop = watchDay(zone, refetch, fetchedAt ? serverTimeOf(fetchedAt) : serverNow())
    }, AFTER_START_MS)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [zone, queries])
}

/** The longest time between two checks: a device may sleep over midnight. */
const CHECK_EVERY_MS = 60_000

/**
 * Calls `onDay` when a new calendar day has begun in a time zone: at midnight there, when a
 * hidden page is shown again, or when the server's time turns out to be on another day. Returns a function that stops it.
 *
 * @param zone an IANA time zone name
 * @param since the instant whose day is the known one; a later day is reported at once
 */
export function watchDay(zone: string, onDay: (day: Day) => void, since = serverNow()): () => void {
  let day = dayOf(zone, since)
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

/**
 * A day that is in every time zone at least so many days ago, and at most two more: for a list that may begin earlier.
 * It needs no calendar of a zone, whose first use takes a phone long.
 */
export function daysAgo(days: number): Day {
  const utcDay = new Date(serverNow()).toISOString().slice(0, 10)
  return addDays(utcDay, -days - 1)
}
