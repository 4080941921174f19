/**
 * Publishes the seed of a voided round, which proves that it was the committed one, and the beacon's value if it
 * arrived after all. From both anybody can compute the digits that would have been drawn, and so see who profited
 * from the void.
 */
import { fromHex } from '@sum28/fairness/hex.ts'
import type { Database } from '#src/db/database.ts'
import type { Seeds } from '#src/modules/fairness/seeds.ts'
import {
  publishSeed,
  type RoundToPublish,
  roundsToPublish,
  storeValue,
} from '#src/modules/rounds/round-store.ts'
import { occasionally } from '#src/process/log.ts'
import { type BeaconDeps, beaconValue } from './beacon-value.ts'

type PublishDeps = BeaconDeps & { db: Database; seeds: Seeds }

/**
 * Publishes what can be published now. A round that cannot be published, for example because its key is missing,
 * delays no other.
 */
export async function publishVoided(
  deps: PublishDeps,
  gameId: number,
  signal: AbortSignal,
): Promise<void> {
  for (const round of await roundsToPublish(deps.db, gameId)) {
    if (signal.aborted) return
    try {
      await publish(deps, round, signal)
    } catch (error) {
      const { issue } = round
      const facts = { gameId, issue, error: error instanceof Error ? error.message : error }
      const about = `publish ${gameId} ${issue}`
      occasionally(
        deps.log,
        { about, now: deps.now(), facts },
        'a voided round could not be published',
      )
    }
  }
}

async function publish(
  deps: PublishDeps,
  round: RoundToPublish,
  signal: AbortSignal,
): Promise<void> {
  const { db, seeds } = deps
  if (round.seedDue) {
    const seed = await seeds.seedOf(round.chainId, round.chainIndex)
    await publishSeed(db, round, fromHex(seed, 32))
  }
  if (!round.valueDue) return
  const value = await beaconValue(deps, round, signal)
  if (!value) return
  await storeValue(db, round, {
    signature: fromHex(value.signature, 48),
    randomness: fromHex(value.randomness, 32),
  })
}
