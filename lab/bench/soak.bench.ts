/**
 * An hour of mixed load: a quarter of the orders that the server bears, as many heartbeats, five pages of history and
 * one sign-in a second, and a thousand open streams, over rounds of the usual length that are sealed, drawn and
 * settled. Told is the memory of server and engine after
 * five minutes and at the end. BENCH_SECONDS is how long it
 * goes on.
 *
 * The load comes in parts of some seconds, each on new connections, so that connections come and go too.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, memoryOfAll } from './cpu-times.ts'
import { startGenerator } from './http-load.ts'
import type { Load } from './load-generator.ts'
import { heartbeatsOf, ordersFor, signInsOf, startProduct, streamsOf } from './product.ts'
import { isShort, medianOf, printTable, report } from './report.ts'
import { readMetric } from './stack.ts'
import { openStreams } from './stream-load.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? (isShort ? 10 : 3_600))
const PLAYERS = 1_000
const STREAMS = isShort ? 100 : 1_000
const CLIENTS = 200
const SHARE = 0.25
const PAGES_A_SECOND = 5
const SIGN_INS_A_SECOND = 1
/** Of one part of the load. */
const PART_MS = isShort ? 2_000 : 15_000
const MEASURE_MS = isShort ? 1_000 : 10_000
const SAMPLE_MS = isShort ? 250 : 10_000
/** Five minutes of an hour: after so much memory is looked at, and at the end, for as long. */
const LOOK = SECONDS / 12
const MB = 1_000_000

type Sample = Record<'second' | 'server' | 'heap' | 'all', number>

const NAMES = {
  server: 'memory of the server',
  heap: 'its used heap',
  all: 'memory with the engine',
}

const product = await startProduct(PLAYERS, {
  environment: isShort ? {} : { ROUND_SECONDS: '210', SEAL_SECONDS: '30' },
})
const generators = Array.from({ length: 4 }, startGenerator)
const { owner, stack, port, players } = product
// Nobody is asked to look at a clock here.
await owner.query(`update protection.house set check_every_default = interval '4 hours'`)
const ended = new AbortController()
try {
  const streams = await openStreams({
    port,
    from: 2,
    streams: streamsOf(players.slice(0, STREAMS), 200),
  })
  const signIns = await signInsOf(owner)
  const load = (path: string, ratePerSecond: number | null, requests: Load['requests']): Load => ({
    // The server closes a connection that sends nothing for some seconds.
    port,
    path,
    requests,
    ratePerSecond,
    clients: Math.ceil(Math.min(CLIENTS, ratePerSecond ?? CLIENTS)),
    keyed: path.endsWith('Order'),
    warmUpMs: 0,
    forMs: PART_MS,
    watched: {},
  })
  const orders = () => ordersFor(product, PART_MS)
  const [first] = generators
  const borne = await first?.run({
    ...load('/api/Lottery/playOrder', null, await orders()),
    forMs: MEASURE_MS,
  })
  // A slow machine may answer none in so short a time, and no load has no connection.
  const rate = Math.max(1, (borne?.perSecond ?? 0) * SHARE)
  const beats = heartbeatsOf(players, 0)
  const pages = players.map(({ token }) => ({ token, body: '{"page":1,"limit":20}' }))
  const parts: (() => Promise<Load>)[] = [
    async () => load('/api/Lottery/playOrder', rate, await orders()),
    async () => load('/api/Lottery/heart', rate, beats),
    async () => load('/api/user/orderList', PAGES_A_SECOND, pages),
    async () => load('/api/user/login', SIGN_INS_A_SECOND, signIns),
  ]
  const answers = parts.map(() => 0)
  const going = parts.map(async (part, index) => {
    while (!ended.signal.aborted) {
      const result = await generators[index]?.run(await part())
      answers[index] = (answers[index] ?? 0) + (result?.answers ?? 0)
    }
  })
  const samples = await watch()
  ended.abort()
  await Promise.all(going)
  const { closed } = await streams.report()
  await streams.stop()
  if (closed > 0) throw new Error(`${closed} streams were closed`)

  const early = samples.filter(({ second }) => second >= LOOK && second < 2 * LOOK)
  const late = samples.filter(({ second }) => second >= SECONDS - LOOK)
  const rows = (['server', 'heap', 'all'] as const).map((part) => {
    const [first, last] = [early, late].map((each) => medianOf(each, (sample) => sample[part]))
    const [begins, ends] = [Number(first) / MB, Number(last) / MB]
    return {
      name: NAMES[part],
      'after a twelfth, MB': begins,
      'at the end, MB': ends,
      ratio: ends / begins,
    }
  })
  printTable(`${SECONDS} s of load: ${answers.join(', ')} answers`, rows)
  const figures = rows.map(({ name, ratio }) => {
    return { name: `${name}, beside its beginning`, value: ratio, unit: '×', atMost: 1.1 }
  })
  report('soak', figures, { seconds: SECONDS, answers, rows, samples })
} finally {
  ended.abort()
  await Promise.all(generators.map((generator) => generator.stop()))
  await product.stop()
}

/** Looks at the memory until the time is over. */
async function watch(): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const began = performance.now(); ; await sleep(SAMPLE_MS)) {
    const second = (performance.now() - began) / 1_000
    if (second > SECONDS) return samples
    const heap = await readMetric(stack, 'nodejs_heap_size_used_bytes')
    samples.push({ second, server: memoryOf(stack.pid), heap, all: memoryOfAll(stack.pid) })
  }
}
