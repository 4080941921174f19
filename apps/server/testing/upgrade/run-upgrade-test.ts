/**
 * `npm run test:upgrade`: the release before, under load, is replaced process by process by this one, then back,
 * and forward again. Ends with 1 where an order was lost or stands twice, a reply was not true, a round was not
 * drawn in time, or a request failed.
 *
 * `--from <git ref>`: another release than the last whose migrations differ. `--keep <folder>`: the logs of all
 * processes are copied there.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#src/adapters/postgres/embedded-postgres.ts'
import type { Role } from '#src/config.ts'
import { openDatabase } from '#src/db/database.ts'
import { judge } from '../cluster/history.ts'
import { brokenRules, readKept, readRounds } from '../cluster/kept.ts'
import { freePorts, makePart, until } from '../cluster/parts.ts'
import { addPlayers, startPlaying } from '../cluster/players.ts'
import { type ProductPart, untilReady } from '../cluster/product-parts.ts'
import { HAPROXY } from '../cluster/programs.ts'
import { checksOf, linesOf, type Struck } from '../cluster/report.ts'
import { TEST_TIME_ZONE } from '../time-zone.ts'
import { startBalancer } from './balancer.ts'
import { watchLockWaits } from './lock-waits.ts'
import { commitBefore, drains, makeTree, nameOf, OWN_TREE, removeTree } from './release-tree.ts'
import { type Roll, tableOfRolls } from './rolls.ts'

const PLAYERS = 12
/** How long players play undisturbed before the first step and after each. */
const CALM_MS = 6_000
/** Seconds of a round, of its seal, and until its draw is late. */
const ROUND = { ROUND_SECONDS: '60', SEAL_SECONDS: '10', BEACON_DEADLINE_SECONDS: '60' }
const ROLES = ['jobs', 'api', 'api', 'engine'] as const satisfies Role[]
const STEPS = ['forward', 'back', 'forward again'] as const

const { values: options } = parseArgs({
  options: { from: { type: 'string' }, keep: { type: 'string' } },
})

process.exit(await main())

async function main(): Promise<number> {
  if (process.platform !== 'linux' || !existsSync(HAPROXY)) {
    console.log(
      'The upgrade test is skipped: it needs haproxy. Install it: apt-get install haproxy.',
    )
    return 0
  }
  const folder = mkdtempSync(join(tmpdir(), `sum28-upgrade-${process.pid}-`))
  const ending = new AsyncDisposableStack()
  ending.defer(() => rmSync(folder, { recursive: true, force: true }))
  ending.defer(() => keepLogs(folder))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void ending.disposeAsync().then(() => process.exit(1)))
  }
  try {
    return await test(folder, ending)
  } finally {
    await ending.disposeAsync()
  }
}

async function test(folder: string, ending: AsyncDisposableStack): Promise<number> {
  const begunAt = Date.now()
  const say = (line: string) => {
    console.log(`${((Date.now() - begunAt) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  }
  const ref = options.from ?? commitBefore()
  say(`the release before is ${nameOf(ref)}; its tree is made …`)
  const before = join(folder, 'release-before')
  ending.defer(() => removeTree(before))
  makeTree(ref, before)

  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'database'),
    settings: { max_connections: '300' },
  })
  ending.defer(() => postgres.stop())
  const owner = openDatabase(postgres.ownerUrl, { connectionsMax: 4 })
  ending.defer(() => owner.close())
  const ports = await freePorts(ROLES.length * (STEPS.length + 1))
  // Only the api processes serve players; each round of starts uses the same ports.
  const balancer = await startBalancer(
    folder,
    ports.filter((_, index) => ROLES[index % ROLES.length] === 'api'),
  )
  ending.defer(() => balancer.part.kill())

  let started = 0
  /** Starts a process of a release and waits until it is ready. */
  async function start(tree: string, role: Role): Promise<ProductPart> {
    const port = ports[started] ?? 0
    const name = `${started}-${role}-of-${tree === before ? 'before' : 'now'}`
    started += 1
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    const part = makePart({
      name,
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', join(tree, 'apps/server/src/main.ts')],
      logFile: join(folder, `${name}.log`),
      environment: {
        GAME_TIMEZONE: TEST_TIME_ZONE,
        ...ROUND,
        ROLE: role,
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: postgres.ownerUrl,
        SECRET_KEY: 'a key for the upgrade test, of more than 32 characters',
        DRAIN_SECONDS: '5',
        ROBOTS: 'off',
        LOG_LEVEL: 'warn',
      },
    })
    ending.defer(() => part.kill())
    part.start()
    const begun = { ...part, role, url: `http://127.0.0.1:${port}` }
    await untilReady(begun)
    return begun
  }

  let processes: ProductPart[] = []
  for (const role of ROLES) processes.push(await start(before, role))
  const players = await addPlayers(owner, PLAYERS)
  const playing = startPlaying(players, [balancer.url])
  const waits = watchLockWaits(owner)
  ending.defer(() => waits.stop())
  await until('orders are accepted', async () =>
    playing.calls.some(({ outcome }) => outcome.kind === 'accepted'),
  )
  say(`${PLAYERS} players play`)

  const steps: Struck[] = [stepFrom('release before', Date.now(), Date.now() + CALM_MS)]
  await sleep(CALM_MS)
  for (const name of STEPS) {
    say(name)
    const from = Date.now()
    const tree = name === 'back' ? before : OWN_TREE
    const next: ProductPart[] = []
    for (const old of processes) {
      next.push(await start(tree, old.role))
      // The balancer uses it after two health checks.
      await sleep(3_000)
      if (old.role === 'api' && !drains(tree === before ? OWN_TREE : before)) {
        await balancer.takeOut(Number(new URL(old.url).port))
        await sleep(1_000)
      }
      await old.end()
      say(`  ${next.at(-1)?.name} in place of ${old.name}`)
    }
    processes = next
    await sleep(CALM_MS)
    steps.push(stepFrom(name, from, Date.now()))
  }
  const end = Date.now()
  await playing.stop()
  say('no more orders; the last draws are waited for …')
  const rounds = await until(
    'every round that was played is settled',
    async () => {
      const all = (await readRounds(owner)).filter(({ opensAt }) => opensAt < end)
      return all.every(({ state }) => state === 'settled' || state === 'voided') && all
    },
    { withinMs: 240_000 },
  )

  const found = judge(playing.calls, await readKept(owner, players))
  const broken = await brokenRules(owner)
  const lines = linesOf(steps, playing.calls, found, rounds)
  const rolls = lines.map((line, index): Roll => {
    const { from = 0, until: to = 0 } = steps[index] ?? {}
    const calls = playing.calls.filter((call) => call.until >= from && call.until < to)
    return {
      ...line,
      requests: calls.length,
      failed: calls.filter(({ outcome }) => outcome.kind === 'none').length,
      waits: waits.longest(from, to),
    }
  })
  console.log(`\n${tableOfRolls(rolls)}\n`)
  for (const { kind, text } of found.slice(0, 50)) console.log(`${kind}: ${text}`)
  for (const name of broken) console.log(`broken rule of the books: ${name}`)
  for (const { outcome, kind, from } of playing.calls) {
    if (outcome.kind !== 'none') continue
    console.log(`failed at ${((from - begunAt) / 1000).toFixed(1)} s: ${kind}, ${outcome.why}`)
  }
  for (const { name, waits: longest } of rolls) {
    for (const wait of [longest.table, longest.row]) {
      if (wait) console.log(`${name}: ${wait.ms.toFixed(0)} ms for a ${wait.of}: ${wait.statement}`)
    }
  }
  const failed = rolls.reduce((sum, roll) => sum + roll.failed, 0)
  const right =
    checksOf(lines).every((check) => check.right) && found.length + broken.length + failed === 0
  console.log(
    right ? 'Both releases served without a failed request.' : 'The upgrade test has failed.',
  )
  return right ? 0 : 1
}

/** A step during which no part is away. */
function stepFrom(name: string, from: number, until: number): Struck {
  return { name, remark: '', from, backAt: from, until }
}

/** Copies what the processes have written, where that was asked for, before it is deleted. */
function keepLogs(from: string): void {
  if (!options.keep) return
  mkdirSync(options.keep, { recursive: true })
  for (const name of readdirSync(from).filter((each) => each.endsWith('.log'))) {
    copyFileSync(join(from, name), join(options.keep, name))
  }
}
