/**
 * `npm run power`: the power of a house is cut, again and again, while its players bet. Ends with 1 where an order that
 * was answered is lost or stands twice, a reply was not true, the books do not fit, or the public log has another history
 * than the one that a monitor saw outside.
 *
 * All that the house writes lies on a file system of its own, which is told to stop at once: what was not flushed to its
 * disk by then is gone, as by a power cut. Every fourth cut comes while the house starts, the first one in its first
 * start. It runs as root on Linux.
 *
 * `--cuts <number>`: 100 if not said. `--keep <folder>`: the log of the house and what was judged are written there.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { EMBEDDED_DATABASE } from '@sum28/server/src/adapters/postgres/embedded-postgres.ts'
import { clusterFiles, OWNER_ROLE } from '@sum28/server/src/adapters/postgres/postgres-cluster.ts'
import { type Database, openDatabase } from '@sum28/server/src/db/database.ts'
import {
  brokenRules,
  endedRounds,
  keepHistory,
  readDatabaseState,
} from '../cluster/database-state.ts'
import { judge } from '../cluster/history.ts'
import { freePorts, makePart, until } from '../cluster/parts.ts'
import { addPlayers, startPlaying } from '../cluster/players.ts'
import { settingsOf, untilReady } from '../cluster/product-parts.ts'

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const MONITOR = fileURLToPath(
  new URL('../../packages/fairness/monitor/run-monitor.ts', import.meta.url),
)

const PLAYERS = 12

/** A house is cut off so long after it was ready, or after its start, at the most. */
const PLAYED_MS = 5_000
const STARTING_MS = 4_000

/** Longer than an outage, so that draws are late and not void; the betting time is most of a round. */
const PACE = { seconds: 40, sealSeconds: 5, deadlineSeconds: 600 }

/** EXT4_IOC_SHUTDOWN, without a last flush of the journal. */
const SHUTDOWN = `
  open(my $folder, '<', $ARGV[0]) or die $!;
  my $without_flush = pack('L', 2);
  ioctl($folder, 0x8004587d, $without_flush) or die $!;`

const { values: options } = parseArgs({
  options: { cuts: { type: 'string', default: '100' }, keep: { type: 'string' } },
})

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.log('No power was cut: it takes root on Linux, which mounts a file system of its own.')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'sum28-power-'))
const disk = makeDisk(join(folder, 'disk.img'), join(folder, 'disk'))
const dataDir = join(folder, 'disk', 'data')
const [port = 0] = await freePorts(1)
const url = `http://127.0.0.1:${port}`
const logFile = join(folder, 'house.log')
const house = makePart({
  name: 'house',
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', '--disable-sigusr1', MAIN],
  logFile,
  environment: {
    ...settingsOf({ round: PACE }),
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
  },
})
const monitorArgs = [MONITOR, url, '--folder', join(folder, 'monitor')]
const monitor = makePart({
  name: 'monitor',
  command: process.execPath,
  args: monitorArgs,
  logFile: join(folder, 'monitor.log'),
})
try {
  process.exitCode = await cutAgainAndAgain(Number(options.cuts))
} finally {
  await monitor.kill()
  await house.kill()
  await disk.unmount()
  if (options.keep) {
    mkdirSync(options.keep, { recursive: true })
    copyFileSync(logFile, join(options.keep, 'house.log'))
  }
  rmSync(folder, { recursive: true, force: true })
}

async function cutAgainAndAgain(cuts: number): Promise<number> {
  disk.mount()
  mkdirSync(dataDir)
  house.start()
  await sleep(Math.random() * STARTING_MS)
  await cut()
  const players = await asOwner((owner) => addPlayers(owner, PLAYERS))
  const playing = startPlaying(players, [url])
  monitor.start()
  // The clocks are compared only now and then, and betting waits for it after each cut.
  const away = [{ from: 0, backAt: Number.POSITIVE_INFINITY }]
  for (let done = 1; done < cuts; done += 1) {
    const isStarting = done % 4 === 0
    await sleep(Math.random() * (isStarting ? STARTING_MS : PLAYED_MS))
    await cut()
    // The next cut comes before it is ready.
    if ((done + 1) % 4 === 0 && done + 1 < cuts) continue
    await untilReady({ ...house, url })
    console.log(`${done + 1} power cuts, ${playing.calls.length} calls`)
  }
  const end = Date.now()
  await playing.stop()
  console.log('no more orders; the last draws are waited for …')
  return asOwner(async (owner) => {
    await endedRounds(owner, end)
    await monitor.end()
    const monitored = spawnSync(process.execPath, [...monitorArgs, '--once'], { encoding: 'utf8' })
    const state = await readDatabaseState(owner, players)
    const wrong = [
      ...judge(playing.calls, state, away).map(({ kind, text }) => `${kind}: ${text}`),
      ...(await brokenRules(owner)).map((rule) => `broken rule of the books: ${rule}`),
      // 3 is a delay, such as of a draw that waited for the house.
      ...([0, 3].includes(monitored.status ?? 1) ? [] : [`the monitor: ${monitored.stderr}`]),
    ]
    for (const line of wrong) console.log(line)
    if (options.keep) keepHistory(options.keep, { calls: playing.calls, state })
    const byKey = Map.groupBy(
      playing.calls.filter(({ kind }) => kind === 'order'),
      ({ key }) => key,
    )
    const cutOff = [...byKey.values()].filter(([first]) => first?.outcome.kind === 'none')
    console.log(
      `${cuts} power cuts; ${byKey.size} orders, ${cutOff.length} of them cut off at first; ${state.bets.length} bets stand; ${wrong.length} faults`,
    )
    return wrong.length > 0 || state.bets.length === 0 ? 1 : 0
  })
}

/** Cuts the power, and starts the house again with what its disk has. */
async function cut(): Promise<void> {
  disk.stop()
  await house.kill()
  await disk.unmount()
  disk.mount()
  house.start()
}

/** Works as the owner of the running house's database. */
async function asOwner<Result>(work: (owner: Database) => Promise<Result>): Promise<Result> {
  await untilReady({ ...house, url })
  const { cluster, passwordFile } = clusterFiles(dataDir)
  const databasePort = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]
  const password = readFileSync(passwordFile, 'utf8').trim()
  const owner = openDatabase(
    `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${databasePort}/${EMBEDDED_DATABASE}`,
    { connectionsMax: 2, limits: { connectMs: 60_000 } },
  )
  try {
    return await work(owner)
  } finally {
    await owner.close()
  }
}

/** A disk in a file, with a file system that can be stopped in the middle of its work. */
function makeDisk(file: string, at: string) {
  execFileSync('truncate', ['--size=4G', file])
  execFileSync('mkfs.ext4', ['-q', '-F', file])
  mkdirSync(at)
  return {
    mount: () => void execFileSync('mount', ['-o', 'loop', file, at]),
    stop: () => void execFileSync('perl', ['-e', SHUTDOWN, at]),
    async unmount() {
      // A process that was killed may still be in its last call.
      await until('the disk is free', async () => {
        return !/busy/.test(spawnSync('umount', [at], { encoding: 'utf8' }).stderr)
      })
    },
  }
}
