import { chains } from '@sum28/contract/fairness-routes.ts'
import type { Queryable } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { committedChains } from './seeds.ts'

/** The public commitments. The secrets of chains are not read here at all. */
export function fairnessRoutes({ db }: { db: Queryable }): RouteBinding[] {
  return [
    bind(chains, async () =>
      (await committedChains(db)).map(({ id, gameId, length, commitment, committedAt, used }) => ({
        id,
        game_id: gameId,
        length,
        commitment,
        committed_at: unixSeconds(committedAt),
        used,
      })),
    ),
  ]
}
