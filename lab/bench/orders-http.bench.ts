/**
 * Durable orders a second over HTTP, with sessions, keys and envelopes, of 500 kept connections and 1,000
 * players. The same generator sends the same orders in turn to the product (16 rooms, and one hot room), to
 * the bare framework, and to the honest peer.
 *
 * Generator, server and database share the processors of one machine: compare the ratios.
 */
import { type Baseline, startConstant, startPeer } from './baselines.ts'
import { bodyOf, Turns } from './http-load.ts'
import type { Load } from './load-generator.ts'
import { orderLoad, ordersFor, startProduct } from './product.ts'
import { isShort, medianOf, printTable, ratioOf, report } from './report.ts'

const PLAYERS = 1_000
const CLIENTS = 500
const TURNS = isShort ? 1 : 3
const WARM_UP_MS = isShort ? 500 : 2_000
const FOR_MS = isShort ? 1_000 : 8_000
/** Share of the product's own rate at which orders arrive in the open loop. */
const OPEN_LOOP_SHARE = 0.7

const BARE = 'bare framework'
const PEER = 'honest peer'
const SPREAD = 'orders, 16 rooms'
const HOT = 'orders, one room'
const OPEN_LOOP = 'orders, open loop at 70%'

const product = await startProduct(PLAYERS)
const turns = new Turns()
const baselines: Baseline[] = []
try {
  const load = orderLoad(product, {
    clients: CLIENTS,
    requests: [],
    warmUpMs: WARM_UP_MS,
    forMs: FOR_MS,
  })

  async function measure(name: string, change: Partial<Load>): Promise<number> {
    // So that no part waits for the disk on account of what another wrote.
    await product.owner.query('checkpoint')
    const { perSecond } = await turns.run(name, { ...load, ...change })
    return perSecond
  }

  const orders = (rooms: 1 | 16) => ordersFor(product, WARM_UP_MS + FOR_MS, rooms)

  // The baselines answer as many bytes as the product does.
  const warmUp = { ...load, requests: await orders(16), forMs: 1_000 }
  const constant = await startConstant(bodyOf(await turns.begin(warmUp)))
  const ids = product.players.map(({ id }) => id)
  const peer = await startPeer(product.ownerUrl, ids)
  baselines.push(constant, peer)
  const { database } = product.watched
  const on = ({ port, pid }: Baseline) => ({ port, watched: { server: { pid }, database } })

  for (let turn = 0; turn < TURNS; turn += 1) {
    const spread = await orders(16)
    const ofPeer = spread.map(({ body }, index) => ({ token: String(ids[index]), body }))
    await measure(BARE, { ...on(constant), requests: spread })
    await measure(PEER, { ...on(peer), requests: ofPeer })
    // What comes first has no advantage in all turns.
    const hotFirst = turn % 2 === 1
    if (hotFirst) await measure(HOT, { requests: await orders(1) })
    const rate = await measure(SPREAD, { requests: await orders(16) })
    if (!hotFirst) await measure(HOT, { requests: await orders(1) })
    await measure(OPEN_LOOP, {
      requests: await orders(16),
      ratePerSecond: rate * OPEN_LOOP_SHARE,
    })
  }

  const rows = turns.rows({ '× bare': () => BARE, '× peer': () => PEER })
  printTable('Orders over HTTP', rows)
  const beside = (name: string, other: string) => ({
    value: ratioOf(turns.of(name), turns.of(other)),
    unit: '×',
  })
  const figures = [
    { name: 'beside the bare framework', ...beside(SPREAD, BARE), atLeast: 0.6 },
    { name: 'beside the honest peer', ...beside(SPREAD, PEER), atLeast: 6 },
    { name: 'one hot room beside 16 rooms', ...beside(HOT, SPREAD), atLeast: 0.95 },
    {
      name: 'p99 at 70% of the rate',
      unit: 'ms',
      atMost: 100,
      value: medianOf(turns.of(OPEN_LOOP), ({ p99 }) => p99),
    },
  ]
  report('orders-http', figures, { turns: TURNS, secondsEach: FOR_MS / 1_000, rows })
} finally {
  await turns.stop()
  await Promise.all(baselines.map((baseline) => baseline.stop()))
  await product.stop()
}
