import type { FastifyInstance } from 'fastify'
import type { Config } from '#src/config.ts'
import { createLocalBeacon } from './local-beacon.ts'
import { localBeaconRoutes } from './local-beacon-routes.ts'

/**
 * Serves the operator's own beacon, if the configuration has one, for players who check a draw. The engine has its
 * own.
 */
export async function serveLocalBeacon(
  http: FastifyInstance,
  deps: {
    config: Pick<Config, 'beacon'>
    keys: { beaconSecret: string; beaconGenesis: number }
    now: () => number
  },
): Promise<void> {
  const { config, keys, now } = deps
  if (config.beacon.kind !== 'local') return
  const beacon = createLocalBeacon({
    secret: Buffer.from(keys.beaconSecret, 'hex'),
    genesisTime: keys.beaconGenesis,
    now,
  })
  await http.register(localBeaconRoutes, { prefix: '/beacon', beacon })
}
