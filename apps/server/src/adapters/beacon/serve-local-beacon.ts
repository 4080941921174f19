import type { BeaconInfo } from '@sum28/fairness/beacon.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#src/config.ts'
import { createLocalBeacon } from './local-beacon.ts'
import { localBeaconRoutes } from './local-beacon-routes.ts'

/**
 * Serves the operator's own beacon at `/beacon`, if the configuration has one: for players who check a draw, and for
 * the engine of this process.
 *
 * @returns what identifies the beacon; null if there is none
 */
export async function serveLocalBeacon(
  http: FastifyInstance,
  deps: {
    config: Pick<Config, 'beacon'>
    keys: { beaconSecret: string; beaconGenesis: number }
    now: () => number
  },
): Promise<BeaconInfo | null> {
  const { config, keys, now } = deps
  if (config.beacon.kind !== 'local') return null
  const beacon = createLocalBeacon({
    secret: Buffer.from(keys.beaconSecret, 'hex'),
    genesisTime: keys.beaconGenesis,
    now,
  })
  await http.register(localBeaconRoutes, { prefix: '/beacon', beacon })
  return beacon.info
}
