import type { Resources } from '#src/resources.ts'
import { type EngineHost, startEngineProcess } from './engine-host.ts'

/** Starts the engine of the configuration, and waits until it has said how it is. */
export async function startEngine(
  deps: Pick<
    Resources,
    | 'config'
    | 'tuning'
    | 'databaseUrl'
    | 'schedule'
    | 'keys'
    | 'secretKey'
    | 'gamesChanged'
    | 'log'
    | 'ending'
  > & { gameIds: readonly number[] },
): Promise<EngineHost> {
  const { config, tuning, keys, log, ending } = deps
  const host = startEngineProcess(
    {
      databaseUrl: deps.databaseUrl,
      schedule: deps.schedule,
      beaconDeadlineMs: config.beacon.deadlineMs,
      localBeacon:
        config.beacon.kind === 'local'
          ? { secretHex: keys.beaconSecret, genesisTime: keys.beaconGenesis }
          : null,
      secretKey: deps.secretKey,
      secretKeysPrevious: config.secretKeysPrevious,
      gameIds: deps.gameIds,
      ...(tuning.seedChainLength ? { seedChainLength: tuning.seedChainLength } : {}),
      ...(tuning.clockSyncMs ? { clockSyncMs: tuning.clockSyncMs } : {}),
      ...(tuning.leadSilenceMs ? { leadSilenceMs: tuning.leadSilenceMs } : {}),
    },
    { log, onStep: (id) => deps.gamesChanged([id]) },
  )
  ending.defer(() => host.stop())
  await host.started
  return host
}
