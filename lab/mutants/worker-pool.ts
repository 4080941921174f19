/** Hands orders to processes of mutant-worker.ts, one each at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeServerFolder } from '@sum28/server/testing/database/database-server.ts'
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
  const next = () => (performance.now() < until ? queue.shift() : undefined)
  await Promise.all(
    Array.from({ length: Math.min(JOBS, queue.length) }, async () => {
      let worker: ChildProcess | null = null
      for (let item = next(); item !== undefined; item = next()) {
        worker ??= await startWorker()
        const answered = nextAnswer(worker, maxMs)
        worker.send(order(item))
        const answer = await answered
        if (!answer) {
          worker.kill('SIGKILL')
          worker = null
        }
        done(item, answer)
      }
      await endWorker(worker)
    }),
  )
}

async function startWorker(): Promise<ChildProcess> {
  const folder = makeServerFolder()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const worker = fork(join(import.meta.dirname, 'mutant-worker.ts'), [folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (!(await nextAnswer(worker, 600_000))) throw new Error('a process for tests did not start')
  return worker
}

function nextAnswer(worker: ChildProcess, maxMs: number): Promise<Answer | null> {
  return new Promise((resolve) => {
    const finish = (answer: Answer | null) => {
      clearTimeout(timer)
      worker.off('message', onAnswer)
      worker.off('exit', ended)
      resolve(answer)
    }
    const onAnswer = (answer: unknown) => finish(answer as Answer)
    const ended = () => finish(null)
    const timer = setTimeout(ended, maxMs)
    worker.on('message', onAnswer)
    worker.on('exit', ended)
  })
}

async function endWorker(worker: ChildProcess | null): Promise<void> {
  if (!worker || worker.exitCode !== null) return
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.send('end')
  await ended
}
