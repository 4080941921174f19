import { setTimeout as sleep } from 'node:timers/promises'
import type { BeaconValue } from '@sum28/fairness/beacon.ts'
import { type Beacon, BeaconError } from '#src/adapters/beacon/beacon.ts'
import type { Log } from '#src/process/log.ts'
import { occasionally } from '#src/process/log.ts'

/** How long a step waits for the beacon's hosts by default; the beacon continues to ask them. */
const PATIENCE_MS = 500

export type BeaconDeps = {
  beacon: Beacon
  log: Log
  now: () => number
  patienceMs?: number
}

/**
 * The verified value of the beacon round that a round announced, or null: it does not exist yet, no host returns it
 * now, or the round announced another beacon than the configured one.
 */
export async function beaconValue(
  { beacon, log, now, patienceMs = PATIENCE_MS }: BeaconDeps,
  round: { gameId: number; issue: string; beaconChainHash: string; beaconRound: number },
  signal: AbortSignal,
): Promise<BeaconValue | null> {
  const { gameId, issue } = round
  if (round.beaconChainHash !== beacon.info.chainHash) {
    const facts = {
      gameId,
      issue,
      announced: round.beaconChainHash,
      configured: beacon.info.chainHash,
    }
    occasionally(
      log,
      { about: `beacon ${gameId} ${issue}`, now: now(), facts },
      'the round announced another beacon than the one configured',
    )
    return null
  }
  const fetched = beacon.fetchRound(round.beaconRound, signal).catch((error: unknown) => {
    if (!(error instanceof BeaconError)) throw error
    log.debug({ gameId, issue, failure: error.failure }, 'no beacon value yet')
    return null
  })
  // The beacon continues to ask its hosts: if the value arrives meanwhile, the next turn finds it.
  fetched.catch(() => {})
  const patience = new AbortController()
  const enough = sleep(patienceMs, null, { signal: patience.signal }).catch(() => null)
  return Promise.race([fetched, enough]).finally(() => patience.abort())
}
