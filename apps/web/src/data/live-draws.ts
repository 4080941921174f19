import { useQuery } from '@tanstack/react-query'
import { roundMark } from '#src/data/asked-game.ts'
import type { Game } from '#src/data/games.ts'
import type { PastDraw } from '#src/data/past-draw.ts'
import { latestDrawsQuery } from '#src/data/past-draws.ts'

/**
 * A game's latest rounds, newest first; undefined at first. They grow as the stream tells draws, and
 * are asked for anew as each round ends where it does not.
 */
export function useLatestDraws(game: Game): readonly PastDraw[] | undefined {
  const latest = useQuery(latestDrawsQuery({ gameId: game.id, mark: roundMark(game) }))
  return latest.data
}
