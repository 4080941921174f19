import type { Resources } from '#src/resources.ts'
import { type EngineHost, startEngineProcess } from './engine-host.ts'

/** Starts the engine's process early, so that it loads its code while the other parts are made. */
export function loadEngine({
  log,
  gamesChanged,
  ending,
  tuning,
}: Pick<Resources, 'log' | 'gamesChanged' | 'ending' | 'tuning'>): EngineHost {
  const engine = startEngineProcess({
    log,
    onStep: (id) => gamesChanged([id]),
    silentChecksMax: tuning.engineSilentChecksMax,
  })
  ending.defer(() => engine.stop())
  return engine
}

/** Lets the configured engine begin, and waits for its first report. */
export async function beginEngine(
  engine: EngineHost,
  deps: Pick<
    Resources,
    'config' | 'tuning' | 'databaseUrl' | 'schedule' | 'keys' | 'secretKey' | 'ending'
  > & { gameIds: readonly number[] },
): Promise<void> {
  const { config, tuning, keys, ending } = deps
  // Ends before everything that was started after it was loaded.
  ending.defer(() => engine.stop())
  await engine.begin({
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
    ...(tuning.limits?.engine ? { limits: tuning.limits.engine } : {}),
    ...(tuning.leadSilenceMs ? { leadSilenceMs: tuning.leadSilenceMs } : {}),
  })
}
