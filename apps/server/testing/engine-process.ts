/**
 * An engine of one game as a process of its own, to be killed: rounds of 4 s that are sealed after
 * 2 s, so that a slow machine draws some of them. It says each step that it takes as a line of the log.
 *
 * node engine-process.ts <database address> <beacon host> <the beacon's genesis>
 */
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { createLocalBeacon } from '#src/adapters/beacon/local-beacon.ts'
import { openDatabase } from '#src/db/database.ts'
import { driveGames } from '#src/engine/drive-games.ts'
import { leadership } from '#src/engine/leadership.ts'
import { makeLog } from '#src/log.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { sealer } from '#src/sealer.ts'
import { TEST_BEACON_SECRET } from './beacon-host.ts'

const [databaseUrl = '', beaconUrl = '', genesis = '', timeZone = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl)
const { info } = createLocalBeacon({
  secret: TEST_BEACON_SECRET,
  genesisTime: Number(genesis),
  now: Date.now,
  period: 1,
})
driveGames({
  db,
  slowDb: db,
  schedule: {
    timeZone,
    opensMinute: 0,
    closesMinute: 1_440,
    roundMs: 4_000,
    sealMs: 2_000,
  },
  beacon: createDrandBeacon({ info, hosts: [beaconUrl] }),
  beaconDeadlineMs: 60_000,
  seeds: seedKeeper({ db, sealer: sealer('x'.repeat(32)), length: 1_000, roundsADay: 100 }),
  now: Date.now,
  log: makeLog({ level: 'info', pretty: false }),
  leadership: leadership(databaseUrl),
  gameIds: [1],
})
