/** The chains of seeds that decide draws, as players see them. */
import { chains } from '@sum28/contract/fairness-routes.ts'
import { bind } from '#src/http/call.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import type { CommittedChain } from './seeds.ts'

/** The secrets of chains are not read here at all. */
export function fairnessModule({ db }: Pick<Resources, 'db'>) {
  return {
    routes: [
      bind(chains, async () => {
        const all = await db.query<CommittedChain>(
          `select id, game_id as "gameId", length, encode(commitment, 'hex') as commitment,
             committed_at as "committedAt", used
           from fairness.chain order by id`,
        )
        return all.map((chain) => wireOf(chain))
      }),
    ],
  }
}
