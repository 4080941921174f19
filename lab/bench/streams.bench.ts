/**
 * Open streams of rooms in one process, each told of a draw: how long after the draw's commit the last one is told, and
 * what memory a stream takes. Beside a server of Node's own that writes the same bytes to as many connections.
 * BENCH_STREAMS is the number of streams.
 *
 * Generator, server and database share the processors of one machine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@sum28/server/src/db/database.ts'
import { type BareStreams, startBareStreams } from './baselines.ts'
import { memoryOf } from './cpu-times.ts'
import { type Product, startProduct, streamsOf } from './product.ts'
import { isShort, median, printTable, report } from './report.ts'
import { openFilesMax, openStreams, type StreamReport, type Streams } from './stream-load.ts'

const WANTED = 20_000
/** Files that a process has open besides. */
const OTHER_FILES = 600
const STREAMS = streamsToOpen()
const ROUND_SECONDS = isShort ? 8 : 30
const DRAWS = isShort ? 1 : 4
/** Of each network: less than the server lets it have while more than half of all are open. */
const OF_NETWORK = 50
/** How long the news of a draw are waited for at a time, and in all: a slow machine may miss the draws of some rounds. */
const NEWS_MS = isShort ? 1_000 : 3_000
const WAIT_MAX_MS = 600_000
/** Before a draw: what it costs is counted from here. */
const LEAD_MS = 100
const KB = 1_000

/** Milliseconds from each draw's commit until all of its streams were told, and kB of the server for each stream. */
type Part = { last: number[]; kbEach: number }

function streamsToOpen(): number {
  const fit = openFilesMax() - OTHER_FILES
  const requested = Number(process.env.BENCH_STREAMS ?? (isShort ? 500 : WANTED))
  if (requested <= fit) return requested
  const advice = `a process may have ${openFilesMax()} files open here: raise it with "ulimit -n ${requested + OTHER_FILES}"`
  if (process.env.BENCH_STREAMS) throw new Error(`${requested} streams do not fit, for ${advice}`)
  console.warn(`  Only ${fit} streams are opened instead of ${requested}, for ${advice}.`)
  return fit
}

const product = await startProduct(STREAMS, {
  environment: { ROUND_SECONDS: String(ROUND_SECONDS), SEAL_SECONDS: '2' },
  settings: { track_commit_timestamp: 'on' },
})
const bare = await startBareStreams()
try {
  const { part: ours, event } = await measureProduct(product)
  const parts = { 'bare server': await measureBare(bare, event), 'the product': ours }
  const rows = Object.entries(parts).map(([name, { last, kbEach }]) => ({
    name,
    'last told, ms': median(last),
    'worst, ms': Math.max(...last),
    'kB each': kbEach,
  }))
  printTable(`${STREAMS.toLocaleString('en')} open streams`, rows)
  const figures = [
    { name: 'open in one process', value: STREAMS, unit: 'streams', atLeast: WANTED },
    { name: 'the last told of a draw after', value: median(ours.last), unit: 'ms', atMost: 300 },
    { name: 'memory of each', value: ours.kbEach, unit: 'kB', atMost: 40 },
  ]
  report('streams', figures, { rows })
} finally {
  await bare.stop()
  await product.stop()
}

async function measureProduct({ stack, port, owner, players }: Product) {
  const before = memoryOf(stack.pid)
  const streams = await openStreams({ port, from: 2, streams: streamsOf(players, OF_NETWORK) })
  // The first draw after the opening is not counted: a stream may begin before any.
  await sleep((await nextDrawAt(owner)) - Date.now() + NEWS_MS)
  const last = await measureDraws(streams, async () => {
    await sleep((await nextDrawAt(owner)) - Date.now() - LEAD_MS)
    return () => commitsOf(owner)
  })
  const kbEach = (memoryOf(stack.pid) - before) / STREAMS / KB
  const { event, refused } = await streams.report()
  if (refused > 0) console.warn(`  ${refused} times a stream was refused, and was asked for again.`)
  await streams.stop()
  return { part: { last, kbEach }, event }
}

async function measureBare(server: BareStreams, event: string): Promise<Part> {
  const before = memoryOf(server.pid)
  const load = { port: server.port, from: 10, streams: streamsOf(product.players, OF_NETWORK) }
  const streams = await openStreams(load)
  const issue = /"last_issue":\{[^{}]*?"issue":"?(\d+)/.exec(event)?.[1] ?? ''
  let number = BigInt(issue)
  const next = () => server.send(event.replaceAll(issue, String(++number)))
  await next()
  await sleep(NEWS_MS)
  const last = await measureDraws(streams, async () => {
    const at = await next()
    return async (draws) => new Map(draws.map((draw) => [draw, at]))
  })
  const kbEach = (memoryOf(server.pid) - before) / STREAMS / KB
  await streams.stop()
  return { last, kbEach }
}

/**
 * Milliseconds from each draw until the last of its streams was told.
 *
 * @param begin ends just before the news begin, or once they have; gives the function that says when each draw was
 * committed, in milliseconds since 1970
 */
async function measureDraws(
  streams: Streams,
  begin: () => Promise<(draws: string[]) => Promise<Map<string, number>>>,
): Promise<number[]> {
  const last: number[] = []
  for (let draw = 0; draw < DRAWS; draw += 1) {
    await streams.report({ forget: true })
    const commits = await begin()
    const { draws, closed } = await receivedByAll(streams)
    if (closed > 0) throw new Error(`${closed} streams were closed`)
    const at = await commits(draws.map((one) => one.draw))
    for (const { draw, times } of draws) {
      last.push((times.at(-1) ?? Number.NaN) - (at.get(draw) ?? Number.NaN))
    }
  }
  return last
}

/** Ends some time after every stream was told of a draw. */
async function receivedByAll(streams: Streams): Promise<StreamReport> {
  for (const until = performance.now() + WAIT_MAX_MS; performance.now() < until; ) {
    await sleep(NEWS_MS)
    const report = await streams.report()
    const count = report.draws.reduce((sum, { times }) => sum + times.length, 0)
    if (count >= STREAMS) return report
  }
  throw new Error('not all streams were told of a draw')
}

/** When the running rounds are drawn, in milliseconds since 1970; all four at the same time. */
async function nextDrawAt(owner: Database): Promise<number> {
  for (;;) {
    const [round] = await owner.query<{ at: number | null }>(
      `select extract(epoch from min(draws_at))::float8 * 1000 as at from rounds.round where draws_at > app.now()`,
    )
    if (round?.at) return round.at
    // The first rounds, or the next ones, are not open yet.
    await sleep(LEAD_MS)
  }
}

/** When each draw was committed, by PostgreSQL's own record of it. */
async function commitsOf(owner: Database): Promise<Map<string, number>> {
  const rows = await owner.query<{ draw: string; at: number }>(
    `select game_id || ' ' || issue as draw,
       extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as at from rounds.draw`,
  )
  return new Map(rows.map(({ draw, at }) => [draw, at]))
}
