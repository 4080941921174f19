/** Hands orders to processes of mutant-worker.ts, one each at a time. */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeServerFolder } from '@sum28/server/testing/database/database-server.ts'
import { type Child, startChild } from '../child.ts'
import type { Answer, Order } from './mutant-worker.ts'

// A process ended by a signal cleans up like any other.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))

const JOBS = 2

/**
 * Works through items with two processes, beginning none after `until`. A process that gives no answer within
 * `maxMs`, or ends, is replaced by another, and its item is done with null.
 */
export async function withWorkers<Item>(
  items: readonly Item[],
  {
    until,
    maxMs,
    order,
    done,
  }: {
    until: number
    maxMs: number
    order(item: Item): Order
    done(item: Item, answer: Answer | null): void
  },
): Promise<void> {
  const queue = [...items]
  async function work(): Promise<void> {
    let worker: Child | null = null
    while (queue.length > 0 && performance.now() < until) {
      const item = queue.shift() as Item
      worker ??= await startWorker()
      const answered = worker.ask<Answer>(order(item)).catch(() => null)
      const answer = await Promise.race([answered, sleep(maxMs, null, { ref: false })])
      if (!answer) {
        worker.kill()
        worker = null
      }
      done(item, answer)
    }
    await worker?.stop()
  }
  await Promise.all(Array.from({ length: Math.min(JOBS, queue.length) }, work))
}

async function startWorker(): Promise<Child> {
  const folder = makeServerFolder()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = new URL('mutant-worker.ts', import.meta.url)
  const worker = startChild(file, [folder], ['ignore', 'ignore', 'inherit', 'ipc'])
  await worker.answer()
  return worker
}
