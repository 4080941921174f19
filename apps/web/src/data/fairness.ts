/** What is public of draws: rounds with their seed and beacon, and the chains of seeds. */
import { Refusal } from '@sum28/contract/client.ts'
import { chains, fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { issueList } from '@sum28/contract/lottery-routes.ts'
import type { PublishedRoundOnWire, SeedChainOnWire } from '@sum28/contract/receipt.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Draw, drawFromWire } from '#src/data/draw.ts'

export type PublishedRound = PublishedRoundOnWire
export type SeedChain = SeedChainOnWire

/** While a shown round waits for its draw. */
const POLL_MS = 3_000

/** How many of the latest rounds are offered where no day was chosen. */
const LATEST_COUNT = 60

/** Whether more of a round may still become public. */
export function isUndecided({ digits, status }: PublishedRound): boolean {
  return digits === null && status !== 'voided'
}

/** A round as it is published now; null where there is none. Asked anew until it is drawn. */
export function publishedRoundQuery({ gameId, issue }: { gameId: number; issue: string }) {
  return queryOptions<PublishedRound | null>({
    queryKey: ['published-round', gameId, issue],
    refetchInterval: (query) =>
      query.state.data && isUndecided(query.state.data) ? POLL_MS : false,
    queryFn: ({ signal }) =>
      call(fairnessRound, { game_id: gameId, issue }, { signal }).catch(nullWhereNone),
  })
}

/** Rounds of a game that were drawn or voided, newest first: those of a game day, or the latest. */
export function pastRoundsQuery({ gameId, day }: { gameId: number; day: string }) {
  return queryOptions({
    queryKey: ['past-rounds', gameId, day],
    queryFn: async ({ signal }): Promise<Draw[]> => {
      const asked = day === '' ? { limit: LATEST_COUNT } : { date: day }
      const reply = await call(issueList, { game_id: gameId, ...asked }, { signal })
      return (Array.isArray(reply) ? reply : reply.list).map(drawFromWire)
    },
  })
}

/** The chains of all games, oldest first. */
export const chainsQuery = queryOptions({
  queryKey: ['seed-chains'],
  staleTime: 60_000,
  queryFn: ({ signal }): Promise<SeedChain[]> => call(chains, {}, { signal }),
})

/** For `catch`: nothing there is an answer, and no failure. */
export function nullWhereNone(error: unknown): null {
  if (error instanceof Refusal && ['not_found', 'invalid_input'].includes(error.data.reason)) {
    return null
  }
  throw error
}
