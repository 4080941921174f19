/** Hands orders to processes of mutant-worker.ts, one each at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeServerFolder } from '@sum28/server/testing/server-folder.ts'
import type { Answer, Order } from './mutant-worker.ts'

// A process ended by a signal cleans up like any other.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))

/**
 * Works through items with so many processes. One that gives no answer within `maxMs`, or ends, is
 * replaced by another, and its item is done with null.
 */
export async function withWorkers<Item>(
  { kind, jobs, maxMs }: { kind: Order['kind']; jobs: number; maxMs: number },
  items: readonly Item[],
  { order, done }: { order(item: Item): Order; done(item: Item, answer: Answer | null): void },
): Promise<void> {
  const queue = [...items]
  await Promise.all(
    Array.from({ length: Math.min(jobs, queue.length) }, async () => {
      let worker: ChildProcess | null = null
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
        worker ??= await startWorker(kind)
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

async function startWorker(kind: Order['kind']): Promise<ChildProcess> {
  const folder = makeServerFolder()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const worker = fork(join(import.meta.dirname, 'mutant-worker.ts'), [kind, folder], {
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
