/**
 * The queueing of orders at many players, simulated from what docs/performance.md has measured, and beside it
 * two points that were measured. No server is started. SIMULATE_SEED repeats a run.
 */
import { isShort } from '../bench/report.ts'
import { type Installation, type Load, type Outcome, simulate } from './simulation.ts'

const seed = Number(process.env.SIMULATE_SEED ?? 28)

/** `orders-http`, "orders, 16 rooms", first run; a batch's own 2 ms are from the same page. */
const MEASURED = {
  serverEach: 127,
  batchOwn: 2_000,
  // 198 µs an order, less its part of a batch's own in batches of 250 orders.
  batchEach: 190,
  batchMax: 500,
} as const

/** Not measured: what a disk with a battery, and a replica in the next room, take for a commit. */
const COMMIT = 2_000

const ONE: Installation = { ...MEASURED, processes: 1, databaseCores: 1, commit: COMMIT, share: 1 }

/** Assumed: each player places one order a round of 210 s, of which betting is open for 180 s. */
const ROUND_S = 210
const OPEN_S = 180
/** Assumed: in the last 30 s orders come three times as often as before. */
const LATE_S = 30
const LATE_TIMES = 3

/** Orders a second in a second of a round. */
function ordersOfRound(players: number): Load {
  const early = players / (OPEN_S - LATE_S + LATE_TIMES * LATE_S)
  return {
    kind: 'open',
    rateAt: (second) => (second < OPEN_S - LATE_S ? early : early * LATE_TIMES),
    rateMax: early * LATE_TIMES,
    seconds: OPEN_S,
  }
}

const rows: string[][] = []

function add(name: string, measured: string, { ...outcome }: Outcome): void {
  rows.push([
    name,
    measured,
    Math.round(outcome.perSecond).toLocaleString('en'),
    outcome.p50Ms.toFixed(1),
    outcome.p99Ms.toFixed(1),
    outcome.worstMs.toFixed(0),
    outcome.batch.toFixed(1),
    outcome.databaseEach.toFixed(0),
    `${(100 * outcome.databaseBusy).toFixed(0)}%`,
    `${(100 * outcome.serverBusy).toFixed(0)}%`,
  ])
}

console.log(`seed ${seed}`)
const seconds = isShort ? 2 : 20
const closed = { kind: 'closed', connections: 500, seconds } as const
add('500 connections, machine of its own', '', simulate(ONE, closed, seed))
add(
  '500 connections, 45% of a processor',
  '2,204; 188; 675; 198 µs',
  simulate({ ...ONE, share: 0.45 }, closed, seed),
)
const open: Load = { kind: 'open', rateAt: () => 1_538, rateMax: 1_538, seconds }
add('1,538 a second, machine of its own', '1,538; 13.9; 102; 436 µs', simulate(ONE, open, seed))
add(
  '1,538 a second, 45% of a processor',
  '1,538; 13.9; 102; 436 µs',
  simulate({ ...ONE, share: 0.45 }, open, seed),
)
for (const [players, processes, databaseCores] of isShort
  ? ([[1e4, 2, 2]] as const)
  : ([
      [1e4, 2, 2],
      [1e5, 2, 2],
      [1e6, 2, 4],
      [1e6, 4, 4],
      [1e6, 4, 8],
      [1e6, 8, 4],
      [1e6, 8, 8],
      [1e6, 16, 8],
      [1e6, 125, 8],
      [1e6, 125, 32],
    ] as const)) {
  const name = `${players.toLocaleString('en')} players, ${processes} processes, ${databaseCores} cores`
  add(name, '', simulate({ ...ONE, processes, databaseCores }, ordersOfRound(players), seed))
}
const HEAD = [
  'simulated',
  'measured: a second; p50; p99; database',
  'a second',
  'p50 ms',
  'p99 ms',
  'worst ms',
  'orders in a batch',
  'database µs',
  'database busy',
  'servers busy',
]
for (const row of [HEAD, HEAD.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
console.log(
  `One order a player and round of ${ROUND_S} s; three times as many in the last ${LATE_S} s before the seal.`,
)
