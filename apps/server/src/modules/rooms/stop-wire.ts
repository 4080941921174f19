import type { StopState } from '@sum28/contract/staff-house-routes.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { Stop } from './stop-store.ts'

/**
 * The present stops, game by game and room by room, with their reasons.
 *
 * @param clocksApartSince in milliseconds since 1970, or null
 */
export function stopState(
  { games, rooms }: Catalog,
  { stops, clocksApartSince }: { stops: readonly Stop[]; clocksApartSince: number | null },
): StopState {
  const of = (scope: Stop['scope'], id: number) => {
    const stop = stops.find((each) => each.scope === scope && each.subjectId === id)
    return stop ? wireStop(stop) : null
  }
  return {
    stopped: games.some(({ houseStopped }) => houseStopped),
    stop: of('all', 0),
    clocks_apart_since: unixSecondsOrNull(clocksApartSince),
    games: games.map((game) => ({
      id: game.id,
      name: game.name,
      stopped: game.stopped,
      stop: of('game', game.id),
      rooms: rooms
        .filter(({ gameId }) => gameId === game.id)
        .map(({ id, title, type, stopped }) => ({
          id,
          title,
          type,
          stopped,
          stop: of('room', id),
        })),
    })),
  }
}

function wireStop({ reason, note, stoppedBy, stoppedAt }: Stop): StopState['stop'] {
  return {
    reason,
    note,
    stopped_by: stoppedBy,
    stopped_at: unixSeconds(stoppedAt),
  }
}
