import { type Day, dayOf } from '@sum28/domain/schedule.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useMemo, useSyncExternalStore } from 'react'
import { configQuery } from '#src/data/config.ts'
import { watchDay } from '#src/data/day-watch.ts'
import { profileQuery } from '#src/data/profile.ts'

/** The default zone; used until the configuration has come. */
const USUAL_ZONE = 'Asia/Singapore'

type GameZone = { readonly zone: string; readonly today: Day }

/** Watched once for all: every row of a list writes its time by it. */
export const GameZoneContext = createContext<GameZone | null>(null)

/** The operator's time zone, by which days are counted, and the present day there. */
export function useGameZone(): GameZone {
  const gameZone = use(GameZoneContext)
  if (!gameZone) throw new Error('useGameZone is used outside of Providers')
  return gameZone
}

/** The value of {@link GameZoneContext}. When a day begins, refetches the data that the server counts by days. */
export function useWatchedGameZone(): GameZone {
  const queries = useQueryClient()
  const config = useQuery(configQuery)
  const zone = config.data?.features.game_timezone ?? USUAL_ZONE
  const watch = useCallback(
    (listener: () => void) =>
      watchDay(zone, () => {
        listener()
        queries.invalidateQueries({ queryKey: profileQuery.queryKey })
      }),
    [zone, queries],
  )
  const today = useSyncExternalStore(watch, () => dayOf(zone, serverNow()))
  return useMemo(() => ({ zone, today }), [zone, today])
}
