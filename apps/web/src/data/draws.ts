/** Past draws of a game. */
import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { IssueResult } from '@sum28/contract/replies.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import type { Digits } from '#src/ui/draw-digits.ts'

export type Draw = {
  readonly issue: string
  /** Null for a round that was voided. */
  readonly digits: Digits | null
  /** Long or short, then odd or even; empty for a voided round. */
  readonly labels: readonly string[]
  readonly voided: boolean
}

export function drawFromWire(result: IssueResult): Draw {
  const { issue, site_1, site_2, site_3, base, status } = result
  const drawn = site_1 !== null && site_2 !== null && site_3 !== null
  return {
    issue,
    digits: drawn ? [site_1, site_2, site_3] : null,
    labels: base ?? [],
    voided: status === 'voided',
  }
}

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
