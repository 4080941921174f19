import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { BatchWatch } from './order-batches.ts'

export type OrderMetrics = {
  /** Called for each batch. */
  readonly watch: BatchWatch
  /** The same function; its answers are counted. */
  counted<Order, Answer extends { replayed?: boolean }>(
    place: (order: Order) => Promise<Answer>,
  ): (order: Order) => Promise<Answer>
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
    counted: (place) => async (order) => {
      try {
        const placed = await place(order)
        if (placed.replayed) orders.inc({ result: 'replayed', reason: '' })
        else if (isRefusal(placed)) orders.inc({ result: 'refused', reason: placed.refused })
        else orders.inc({ result: 'accepted', reason: '' })
        return placed
      } catch (error) {
        orders.inc({ result: 'failed', reason: '' })
        throw error
      }
    },
  }
}
