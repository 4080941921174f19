/**
 * `npm run cluster`: the whole product on a cluster of this machine, under load, while its parts are
 * killed, frozen, cut off and filled up. Ends with 1 where an order was lost or stands twice, a reply was
 * not true, or a round was not drawn in time.
 *
 * `--short`: a few faults, about four minutes, with more time for take-overs, as `npm run test:all` runs it.
 * `--install`: installs what is missing, as root on Debian. `--only <text>`: the faults whose name has that text.
 * `--keep <folder>`: the logs of all parts are copied there. `--report <file>`: the checks are counted in it.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cluster, startCluster } from './cluster.ts'
import {
  brokenRules,
  endedRounds,
  type HeldRound,
  keepHistory,
  readDatabaseState,
} from './database-state.ts'
import { FAULTS, type InjectedFault } from './faults.ts'
import { type Fault, judge } from './history.ts'
import { until } from './parts.ts'
import { AS_IN_PRODUCTION, PATIENT } from './patroni-settings.ts'
import { addPlayers, startPlaying } from './players.ts'
import { installPackages, missingPackages } from './programs.ts'
import { type Check, checksOf, linesOf, type Struck, tableOf } from './report.ts'

const PLAYERS = 16

/** How long players play undisturbed before the first fault, and after each. */
const CALM_MS = 8_000

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'string' },
    report: { type: 'string' },
  },
})

process.exit(await main())

async function main(): Promise<number> {
  if (process.platform !== 'linux') {
    return skip('The cluster test is skipped: it needs Debian’s packages of Patroni and etcd.')
  }
  const missing = missingPackages()
  if (missing.length > 0 && !(options.install && (await installPackages(missing)))) {
    return skip(
      `The cluster test is skipped: it needs ${missing.join(', ')}. Install them (apt-get install ${missing.join(' ')}), or run it as root with --install.`,
    )
  }
  const begunAt = Date.now()
  const say = (line: string) => {
    console.log(`${((Date.now() - begunAt) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  }
  const pace = options.short ? PATIENT : AS_IN_PRODUCTION
  const cluster = await startCluster({ pace, say, onFailure: keepLogs })
  const stop = endOnce(cluster)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(1)))
  }
  try {
    return await test(cluster, say)
  } finally {
    await stop()
  }
}

function skip(line: string): number {
  console.log(line)
  writeReport({ passed: 0, failed: 0, skipped: 1, failures: [] })
  return 0
}

type Report = { passed: number; failed: number; skipped: number; failures: readonly string[] }

function writeReport(report: Report): void {
  if (options.report) writeFileSync(options.report, JSON.stringify(report))
}

/** Ends the cluster once, however often it is asked to. */
function endOnce(cluster: Cluster): () => Promise<void> {
  let ending: Promise<void> | null = null
  return () => {
    if (!ending) keepLogs(cluster.folder)
    ending ??= cluster.stop()
    return ending
  }
}

/** Copies the logs of the parts, if that was requested, before they are deleted. */
function keepLogs(from: string): void {
  const to = options.keep
  if (!to) return
  mkdirSync(to, { recursive: true })
  for (const folder of [from, join(from, 'parts')]) {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
      copyFileSync(join(folder, name), join(to, name))
    }
  }
}

async function test(cluster: Cluster, say: (line: string) => void): Promise<number> {
  const players = await addPlayers(cluster.owner, PLAYERS)
  const apis = cluster.product.filter(({ role }) => role === 'api').map(({ url }) => url)
  const playing = startPlaying(players, apis)
  await until('orders are accepted', async () => {
    if (playing.calls.some(({ outcome }) => outcome.kind === 'accepted')) return true
    throw new Error(`${playing.calls.length} calls: ${countOf(playing.calls)}`)
  })
  await cluster.whole()
  say(`${PLAYERS} players play`)
  await sleep(CALM_MS)

  const struck: Struck[] = []
  const unhealed: string[] = []
  for (const fault of FAULTS) {
    if (options.short && !fault.short) continue
    if (options.only && !fault.name.includes(options.only)) continue
    let from = Date.now()
    say(fault.name)
    const remark = await strike(cluster, fault, () => {
      from = Date.now()
    }).catch((error: Error) => {
      unhealed.push(`${fault.name}: ${error.message}`)
      return 'did not heal'
    })
    const backAt = Date.now()
    if (remark === null) {
      say('left out: this machine does not allow it')
      continue
    }
    say(unhealed.length > 0 ? 'it did not heal' : `all parts are back${remark && `: ${remark}`}`)
    // What comes after it would be judged by what it has left.
    if (unhealed.length === 0) await sleep(CALM_MS)
    struck.push({ name: fault.name, remark, from, backAt, until: Date.now() })
    if (unhealed.length > 0) break
  }
  // The last answers, and the last draws.
  const end = Date.now()
  await playing.stop()
  say('no more orders; the last draws are waited for …')
  const rounds = await endedRounds(cluster.owner, end)

  const state = await until('all orders are read', () => readDatabaseState(cluster.owner, players))
  if (options.keep) keepHistory(options.keep, { calls: playing.calls, state })
  const faults = judge(playing.calls, state, struck)
  const broken = await until('the books are checked', () => brokenRules(cluster.owner))
  const lines = linesOf(struck, playing.calls, faults, rounds)
  console.log(`\n${tableOf(lines)}\n`)
  for (const line of unhealed) console.log(line)
  printFindings(faults, rounds, broken)
  console.log(`${playing.calls.length} calls; ${countOf(playing.calls)}`)
  const checks: Check[] = [
    ...checksOf(lines),
    ...unhealed.map((name) => ({ name, right: false })),
    { name: `${broken.length} rules of the books broken`, right: broken.length === 0 },
  ]
  const failures = checks.flatMap(({ name, right }) => (right ? [] : name))
  const failed = failures.length
  writeReport({ passed: checks.length - failed, failed, skipped: 0, failures })
  const right = failed === 0
  console.log(right ? 'Every reply fits one order of events.' : 'The cluster test has failed.')
  return right ? 0 : 1
}

/** Does one thing to the cluster, and waits until all parts are back. @param done is called when the fault is there */
async function strike(
  cluster: Cluster,
  fault: InjectedFault,
  done: () => void,
): Promise<string | null> {
  const caused = await fault.cause(cluster)
  if (!caused) return null
  done()
  const remark = await caused.wait().finally(() => caused.repair?.())
  await cluster.whole()
  return remark
}

function printFindings(
  found: readonly Fault[],
  rounds: readonly HeldRound[],
  broken: string[],
): void {
  for (const { kind, text } of found.slice(0, 50)) console.log(`${kind}: ${text}`)
  for (const { gameId, issue, voidReason } of rounds) {
    if (voidReason) console.log(`voided: round ${issue} of game ${gameId}, ${voidReason}`)
  }
  for (const name of broken) console.log(`broken rule of the books: ${name}`)
}

/** How many calls had each result. */
function countOf(calls: readonly { kind: string; outcome: object }[]): string {
  const counts = new Map<string, number>()
  for (const { kind, outcome } of calls) {
    const { kind: what, reason, why } = outcome as Record<string, string | undefined>
    const name = [kind, what, reason ?? why].filter(Boolean).join(' ')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ')
}
