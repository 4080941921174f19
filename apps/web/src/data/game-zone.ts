import { type Day, dayOf } from '@sum28/domain/schedule.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { configQuery } from '#src/data/config.ts'
import { watchDay } from '#src/data/day-watch.ts'
import { profileQuery } from '#src/data/profile.ts'

/** What the operator's time zone is unless he sets another one; in force until he was asked. */
const USUAL_ZONE = 'Asia/Singapore'

/** The operator's time zone, by which days are counted, and the day that it is there, followed. */
export function useGameZone(): { zone: string; today: Day } {
  const config = useQuery(configQuery)
  const zone = config.data?.features.game_timezone ?? USUAL_ZONE
  const watch = useCallback((listener: () => void) => watchDay(zone, listener), [zone])
  const today = useSyncExternalStore(watch, () => dayOf(zone, Date.now()))
  return { zone, today }
}

/** Asks anew, as a day begins, for what the server counts by days. Used once, by the shell. */
export function useNewDay(): void {
  const { zone } = useGameZone()
  const queries = useQueryClient()
  useEffect(
    () => watchDay(zone, () => queries.invalidateQueries({ queryKey: profileQuery.queryKey })),
    [zone, queries],
  )
}
