/** The span of a batch: its size, and links to the requests of its orders. */
import { expect, it } from 'vitest'
import { beginRequestSpan, startTracing } from '#src/process/tracing.ts'
import { batchTick, heldBatches, heldOrder } from '#testing/database/held-batches.ts'
import { attributeOf, startCollector } from '#testing/hosts/trace-collector.ts'

it('a batch is a trace of its own, linked to those of its orders that have one', async () => {
  const collector = await startCollector()
  const errors: Error[] = []
  const stop = await startTracing({
    endpoint: collector.endpoint,
    build: 'test',
    onError: (error) => errors.push(error),
  })
  const { batcher, gates } = heldBatches()
  const replies: Promise<string>[] = []
  for (const player of [1, 2]) {
    const span = beginRequestSpan({ method: 'POST', route: `/${player}`, id: String(player) })
    span?.run(() => replies.push(batcher.submit(heldOrder(player))))
    span?.end(200)
  }
  // A robot's order is part of no request.
  replies.push(batcher.submit(heldOrder(3)))
  await batchTick()
  gates[0]?.resolve()
  expect(await Promise.all(replies)).toEqual(['done 1', 'done 2', 'done 3'])
  // The spans are sent at the end.
  await stop()
  expect(errors).toEqual([])
  const spans = collector.spans()
  const requests = ['POST /1', 'POST /2'].map((wanted) => spans.find(({ name }) => name === wanted))
  const batches = spans.filter(({ name }) => name === 'order batch')
  expect(
    batches.map((batch) => ({
      parent: batch.parentSpanId || null,
      orders: attributeOf(batch, 'sum28.batch.orders'),
      links: batch.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    })),
  ).toEqual([
    {
      parent: null,
      orders: 3,
      links: requests.map((request) => ({ traceId: request?.traceId, spanId: request?.spanId })),
    },
  ])
})
