/** A worker of the queue without the rest of the product. */
import { onTestFinished } from 'vitest'
import { startWorker, type Worker } from '#src/jobs/worker.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { captureLog } from './captured-log.ts'

type WorkerDeps = Parameters<typeof startWorker>[0]

/** Starts one on a database, with what its jobs use; it ends with its test, or before. */
export async function workerOn(
  { db, ownerUrl }: Pick<TestDatabase, 'db' | 'ownerUrl'>,
  deps: Partial<WorkerDeps>,
): Promise<Worker> {
  const worker = await startWorker({
    ...({} as WorkerDeps),
    url: ownerUrl,
    connectionsMax: 5,
    db,
    log: captureLog().log,
    ...deps,
  })
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= worker.stop()
    return stopping
  }
  onTestFinished(stop)
  return { stop }
}
