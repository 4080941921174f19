/**
 * Durable orders a second over HTTP, with sessions, keys and envelopes, of 500 kept connections and 1,000
 * players. The same generator sends the same orders in turn to the product (16 rooms, and one hot room), to
 * the bare framework, and to the honest peer.
 *
 * Generator, server and database share the processors of one machine: compare the ratios.
 */
import { type Baseline, startConstant, startPeer } from './baselines.ts'
import { bodyOf, type Load, type LoadResult, startGenerator } from './http-load.ts'
import { orderLoad, ordersFor, startProduct } from './product.ts'
import {
  answerColumns,
  isShort,
  medianOf,
  printTable,
  ratioOf,
  saveFigures,
  type Target,
} from './report.ts'

const PLAYERS = 1_000
const CLIENTS = 500
const TURNS = isShort ? 1 : 3
const WARM_UP_MS = isShort ? 500 : 2_000
const FOR_MS = isShort ? 1_000 : 8_000
/** Share of the product's own rate at which orders arrive in the open loop. */
const OPEN_LOOP_SHARE = 0.7

const product = await startProduct(PLAYERS)
const generator = startGenerator()
const baselines: Baseline[] = []
try {
  const results = new Map<string, LoadResult[]>()
  const load = orderLoad(product, {
    ...{ clients: CLIENTS, requests: [], warmUpMs: WARM_UP_MS, forMs: FOR_MS },
  })

  async function measure(name: string, change: Partial<Load>): Promise<LoadResult> {
    // So that no part waits for the disk on account of what another wrote.
    await product.owner.query('checkpoint')
    const result = await generator.run({ ...load, ...change })
    results.set(name, [...(results.get(name) ?? []), result])
    return result
  }

  const orders = (rooms: 1 | 16) => ordersFor(product, WARM_UP_MS + FOR_MS, rooms)

  // The baselines answer as many bytes as the product does.
  const first = await generator.run({ ...load, requests: await orders(16), forMs: 1_000 })
  const constant = await startConstant(bodyOf(first))
  const ids = product.players.map(({ id }) => id)
  const peer = await startPeer(product.ownerUrl, ids)
  baselines.push(constant, peer)
  const database = product.watched.database as { pid: number }
  const on = ({ port, pid }: Baseline) => ({ port, watched: { server: { pid }, database } })

  for (let turn = 0; turn < TURNS; turn += 1) {
    const spread = await orders(16)
    const ofPeer = spread.map(({ body }, index) => ({ token: String(ids[index]), body }))
    await measure('bare framework', { ...on(constant), requests: spread })
    await measure('honest peer', { ...on(peer), requests: ofPeer })
    // What comes first has no advantage in all turns.
    const rooms = turn % 2 === 0 ? ([16, 1] as const) : ([1, 16] as const)
    for (const count of rooms) {
      await measure(count === 1 ? 'orders, one room' : 'orders, 16 rooms', {
        requests: await orders(count),
      })
    }
    const rate = results.get('orders, 16 rooms')?.at(-1)?.perSecond ?? 0
    await measure('orders, open loop at 70%', {
      requests: await orders(16),
      ratePerSecond: rate * OPEN_LOOP_SHARE,
    })
  }

  const bare = results.get('bare framework') ?? []
  const byPeer = results.get('honest peer') ?? []
  const spread = results.get('orders, 16 rooms') ?? []
  const targets: Target[] = [
    { figure: 'beside the bare framework', value: ratioOf(spread, bare), unit: '×', atLeast: 0.6 },
    { figure: 'beside the honest peer', value: ratioOf(spread, byPeer), unit: '×', atLeast: 6 },
    {
      ...{ figure: 'one hot room beside 16 rooms', unit: '×', atLeast: 0.95 },
      value: ratioOf(results.get('orders, one room') ?? [], spread),
    },
    {
      ...{ figure: 'p99 at 70% of the rate', unit: 'ms', atMost: 100 },
      value: medianOf(results.get('orders, open loop at 70%') ?? [], ({ p99 }) => p99),
    },
  ]
  const rows = [...results].map(([name, runs]) => ({
    name,
    'a second': medianOf(runs, ({ perSecond }) => perSecond),
    '× bare': ratioOf(runs, bare),
    '× peer': ratioOf(runs, byPeer),
    ...answerColumns(runs),
  }))
  printTable('Orders over HTTP', rows)
  saveFigures('orders-http', { turns: TURNS, secondsEach: FOR_MS / 1_000, rows, targets })
} finally {
  await generator.stop()
  await Promise.all(baselines.map((baseline) => baseline.stop()))
  await product.stop()
}
