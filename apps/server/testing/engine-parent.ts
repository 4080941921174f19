/**
 * A server that has nothing but its engine, to be killed. It says its engine's process id, and each
 * line of the log.
 *
 * node engine-parent.ts <database address>
 */
import { startEngineProcess } from '#src/engine/engine-host.ts'
import { makeLog } from '#src/log.ts'
import { TEST_TIME_ZONE } from './time-zone.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const log = makeLog({ level: 'info', pretty: false })
const host = startEngineProcess({ log, onStep: () => {} })
await host.begin({
  databaseUrl,
  schedule: {
    ...{ timeZone: TEST_TIME_ZONE, opensMinute: 0, closesMinute: 1_440 },
    ...{ roundMs: 6_000, sealMs: 2_000 },
  },
  beaconDeadlineMs: 60_000,
  localBeacon: {
    secretHex: '01'.repeat(32),
    genesisTime: Math.floor(Date.now() / 3_000) * 3 - 3_600,
  },
  secretKey: 'x'.repeat(32),
  secretKeysPrevious: [],
  gameIds: [1],
  seedChainLength: 1_000,
})
log.info({ pid: host.pid }, 'the engine runs')
