import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '#src/process/start-error.ts'

/** How long a leftover server gets for an orderly shutdown, and then for a fast one. */
const ORDERLY_MS = 10_000
const HASTY_MS = 5_000

/**
 * Ends a server that still runs on these database files although the process that started it has ended. The caller
 * holds the data folder's lock, so no other process uses the server.
 *
 * @returns the process id in `postmaster.pid` if an unrelated process has that id now, which PostgreSQL must be told;
 * or undefined.
 * @throws StartError if the server does not end.
 */
export async function endLeftoverServer({
  cluster,
  log,
}: {
  cluster: string
  log: (line: string) => void
}): Promise<number | undefined> {
  const processId = recordedProcess(cluster)
  if (processId === undefined || !isAlive(processId)) return undefined
  if (!isServerOf({ processId, cluster })) return processId
  log(`Stopping a database server that an earlier start left behind (process ${processId}) …`)
  const steps = [
    { signal: 'SIGINT', waitMs: ORDERLY_MS },
    { signal: 'SIGQUIT', waitMs: HASTY_MS },
  ] as const
  for (const { signal, waitMs } of steps) {
    sendSignal({ processId, signal })
    const until = performance.now() + waitMs
    while (performance.now() < until) {
      if (!isServerOf({ processId, cluster })) return undefined
      await sleep(20)
    }
  }
  throw new StartError(
    `A database server that an earlier start left on ${cluster} (process ${processId}) does not stop: end that process and start again.`,
  )
}

/** The first line of `postmaster.pid`, which PostgreSQL keeps while it runs. */
function recordedProcess(cluster: string): number | undefined {
  try {
    const processId = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    return processId > 0 ? processId : undefined
  } catch {
    return undefined
  }
}

/** @param processId above zero */
export function isAlive(processId: number): boolean {
  return sendSignal({ processId, signal: 0 }) !== 'ESRCH'
}

function sendSignal({
  processId,
  signal,
}: {
  processId: number
  signal: NodeJS.Signals | 0
}): string {
  try {
    process.kill(processId, signal)
    return ''
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : ''
  }
}

/** Whether the process is a PostgreSQL on these files; a zombie process is not. */
function isServerOf({ processId, cluster }: { processId: number; cluster: string }): boolean {
  const command = commandOf(processId)
  if (!command.includes('postgres')) return false
  try {
    // A server's working directory is its database, even after the folder was moved.
    return readlinkSync(`/proc/${processId}/cwd`) === realpathSync(cluster)
  } catch {
    return command.includes(cluster)
  }
}

function commandOf(processId: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ')
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(processId)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
