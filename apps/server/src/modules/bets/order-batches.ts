/**
 * Group commit of orders. Orders that arrive while a batch is running form the next one; a batch is one statement and
 * one commit, however many orders it contains. Two orders of one player are never in the same batch, so that the
 * second sees the balance after the first.
 */
import type { Link } from '@opentelemetry/api'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { inSpan, linkToHere } from '#src/process/tracing.ts'

export type Batcher<Order, Result> = {
  /** Resolves after the order's batch is committed; rejects if the batch could not be sent. */
  submit(order: Order): Promise<Result>
  /** How many orders wait for a batch. */
  readonly waiting: number
}

/** The most orders in one batch. */
const BATCH_MAX = 500

/** The most orders that may wait, of all players together. */
const WAITING_MAX = 20_000

/** An order that would wait for longer is refused: its client can come again, and the others wait no longer for it. */
const WAIT_MAX_MS = 2_000

/** Too many orders are waiting; nothing of this one was recorded. */
export class Overloaded extends Error {}

/** Called for batches, for metrics. */
export type BatchWatch = {
  /** @param batch its orders, and how long the first of them had waited, in milliseconds */
  begun(batch: { size: number; waitedMs: number }): void
  /** @param ms how long it took, in milliseconds, also if it failed */
  ended(ms: number): void
}

type Waiting<Order, Result> = {
  order: Order
  /** By a monotonic clock. */
  since: number
  /** The trace of its request. */
  link: Link | null
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Makes a batcher.
 *
 * @param playerOf the player of an order
 * @param commit places a batch and returns the results in its order
 * @param watch is called for each batch
 */
export function batchOrders<Order, Result>(
  playerOf: (order: Order) => number,
  commit: (batch: Order[]) => Promise<Result[]>,
  watch?: BatchWatch,
): Batcher<Order, Result> {
  let queue: Waiting<Order, Result>[] = []
  /** The players who have an order in the queue. */
  let waitingPlayers = new Set<number>()
  let underWay = false
  let lastBatchMs = 0

  function nextBatch(): Waiting<Order, Result>[] {
    const players = new Set<number>()
    const batch: Waiting<Order, Result>[] = []
    const rest: Waiting<Order, Result>[] = []
    for (const waiting of queue) {
      const player = playerOf(waiting.order)
      if (batch.length < BATCH_MAX && !players.has(player)) {
        players.add(player)
        batch.push(waiting)
      } else {
        rest.push(waiting)
      }
    }
    queue = rest
    waitingPlayers = new Set(rest.map(({ order }) => playerOf(order)))
    return batch
  }

  /**
   * By what the last batch took, and by the players who wait, not by their orders: the many orders of one player keep
   * nobody else waiting.
   */
  function waitsTooLong(): boolean {
    return Math.floor(waitingPlayers.size / BATCH_MAX) * lastBatchMs > WAIT_MAX_MS
  }

  async function commitBatch(batch: readonly Waiting<Order, Result>[]): Promise<Result[]> {
    const begunAt = performance.now()
    // The queue keeps the order of arrival, so the first order has waited longest.
    watch?.begun({ size: batch.length, waitedMs: begunAt - (batch[0]?.since ?? begunAt) })
    const span = {
      attributes: { 'sum28.batch.orders': batch.length },
      links: batch.map(({ link }) => link),
    }
    try {
      return await inSpan('order batch', span, () => commit(batch.map(({ order }) => order)))
    } finally {
      lastBatchMs = performance.now() - begunAt
      watch?.ended(lastBatchMs)
    }
  }

  async function run(): Promise<void> {
    underWay = true
    // Orders that arrive in the same turn of the event loop join the first batch.
    await new Promise((next) => setImmediate(next))
    while (queue.length > 0) {
      const batch = nextBatch()
      try {
        const results = await commitBatch(batch)
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    underWay = false
  }

  return {
    submit(order) {
      if (queue.length >= WAITING_MAX || waitsTooLong()) {
        return Promise.reject(new Overloaded('too many orders wait'))
      }
      waitingPlayers.add(playerOf(order))
      return new Promise((resolve, reject) => {
        queue.push({ order, since: performance.now(), link: linkToHere(), resolve, reject })
        if (!underWay) void run()
      })
    },
    get waiting() {
      return queue.length
    },
  }
}

export type OrderMetrics = {
  /** Called for each batch. */
  readonly watch: BatchWatch
  /** Counts answers: those of a batch in one call. @param reason of a refusal */
  count(result: 'accepted' | 'replayed' | 'failed', times: number): void
  count(result: 'refused', times: number, reason: string): void
}

/** Makes the metrics of orders. @param waiting how many orders wait for their batch */
export function orderMetrics(registry: Registry, waiting: () => number): OrderMetrics {
  const registers = [registry]
  const orders = new Counter({
    name: 'sum28_orders_total',
    help: 'Orders that were answered: accepted, refused (with the reason), replayed by their key, failed.',
    labelNames: ['result', 'reason'],
    registers,
  })
  // An alarm sees a first failure only as a change from 0.
  for (const result of ['accepted', 'replayed', 'failed']) orders.inc({ result, reason: '' }, 0)
  orders.inc({ result: 'refused', reason: 'unavailable' }, 0)
  const size = new Histogram({
    name: 'sum28_order_batch_size',
    help: 'Orders in a batch.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers,
  })
  const seconds = new Histogram({
    name: 'sum28_order_batch_seconds',
    help: 'How long the database took for a batch.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const waited = new Histogram({
    name: 'sum28_order_wait_seconds',
    help: 'How long the order that waited longest had waited when its batch began.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  new Gauge({
    name: 'sum28_orders_waiting',
    help: 'Orders that wait for their batch now.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  return {
    watch: {
      begun(batch) {
        size.observe(batch.size)
        waited.observe(batch.waitedMs / 1_000)
      },
      ended: (ms) => seconds.observe(ms / 1_000),
    },
    count(result: string, times: number, ...[reason = '']: string[]) {
      orders.inc({ result, reason }, times)
    },
  }
}
