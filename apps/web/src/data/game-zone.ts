import { type Day, dayOf } from '@sum28/domain/schedule.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { configQuery } from '#src/data/config.ts'
import { watchDay } from '#src/data/day-watch.ts'
import { profileQuery } from '#src/data/profile.ts'

/** The default zone; used until the configuration has come. */
const USUAL_ZONE = 'Asia/Singapore'

/** The operator's time zone, by which days are counted, and the present day there. */
export function useGameZone(): { zone: string; today: Day } {
  const config = useQuery(configQuery)
  const zone = config.data?.features.game_timezone ?? USUAL_ZONE
  const watch = useCallback((listener: () => void) => watchDay(zone, listener), [zone])
  const today = useSyncExternalStore(watch, () => dayOf(zone, serverNow()))
  return { zone, today }
}

/** When a day begins, refetches the data that the server counts by days. Used once, by the shell. */
export function useNewDay(): void {
  const { zone } = useGameZone()
  const queries = useQueryClient()
  useEffect(
    () => watchDay(zone, () => queries.invalidateQueries({ queryKey: profileQuery.queryKey })),
    [zone, queries],
  )
}
