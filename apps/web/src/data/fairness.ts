import { Refusal } from '@sum28/contract/client.ts'
import { chains, fairnessRound } from '@sum28/contract/fairness-routes.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

/** Whether more of a round may still become public. */
export function isUndecided({ digits, status }: PublishedRoundOnWire): boolean {
  return digits === null && status !== 'voided'
}

/** A round as published now, or null if there is none. A screen that shows it shows the games too: their stream says when
 * it is drawn. */
export function publishedRoundQuery({ gameId, roundId }: { gameId: number; roundId: string }) {
  return queryOptions<PublishedRoundOnWire | null>({
    queryKey: ['published-round', gameId, roundId],
    queryFn: ({ signal }) =>
      call(fairnessRound, { game_id: gameId, issue: roundId }, { signal }).catch(nullIfNotFound),
  })
}

/** The chains of all games, oldest first. */
export const chainsQuery = queryOptions({
  queryKey: ['seed-chains'],
  staleTime: 60_000,
  queryFn: ({ signal }) => call(chains, {}, { signal }),
})

/** A game's seeds, committed to before the first round that uses one. */
export type SeedChain = ReplyOf<typeof chains>[number]

/** For `catch`: null if the server refused the item as unknown; other errors are thrown. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof Refusal && ['not_found', 'invalid_input'].includes(error.data.reason)) {
    return null
  }
  throw error
}
