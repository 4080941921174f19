/** Past draws of a game. */
import { issueList } from '@sum28/contract/lottery-routes.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Draw, drawFromWire } from '#src/data/draw.ts'

/** How many draws before the last one a room shows. */
const EARLIER_COUNT = 4

/** The four draws before the last one, newest first. `lastIssue` makes a new draw ask anew. */
export function earlierDrawsQuery(asked: { gameId: number; lastIssue: string }) {
  return queryOptions({
    queryKey: ['earlier-draws', asked.gameId, asked.lastIssue],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Draw[]> => {
      const reply = await call(
        issueList,
        // One more than that, as another draw may fall between the two questions.
        { game_id: asked.gameId, limit: EARLIER_COUNT + 2 },
        { signal },
      )
      const rounds = Array.isArray(reply) ? reply : reply.list
      const last = rounds.findIndex(({ issue }) => issue === asked.lastIssue)
      const first = Math.max(0, last) + 1
      return rounds.slice(first, first + EARLIER_COUNT).map(drawFromWire)
    },
  })
}
