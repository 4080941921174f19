import { type RouteName, routeEntry } from '#src/app/routes.ts'
import { gamesQuery } from '#src/data/games.ts'
import { queryClient } from '#src/data/query-client.ts'
import { currentSession } from '#src/data/session-watch.ts'

/** The screens that show nothing before they know the games. */
const WAIT_FOR_GAMES: readonly RouteName[] = ['hall', 'rooms', 'room', 'charts']

/** Requests a screen's first data while its code is loaded. */
export function preloadData(name: RouteName): void {
  const allowed = routeEntry(name).access === 'open' || currentSession() !== null
  if (allowed && WAIT_FOR_GAMES.includes(name)) queryClient.prefetchQuery(gamesQuery)
}
