import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import {
  diskFull,
  reportsDiskFull,
  StartError,
  unwritableFolder,
} from '#src/process/start-error.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { ClusterFiles } from './postgres-cluster.ts'
import { startWatchdog } from './watchdog.ts'

const POLL_MS = 20
/** After a crash the server first replays its log, which may take long. */
const READY_WITHIN_MS = 180_000
/** The time for each way of stopping the server, from orderly to immediate. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 5_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const
/** So much of the end of its log says why a server has ended, and nothing of long before. */
const LAST_LINES_BYTES = 16_384

/** The children of a killed server end within moments, and hold its memory until then. */
const LET_GO_MS = 10_000

/** A server that accepts connections on 127.0.0.1. */
export type RunningServer = {
  port: number
  stop(): Promise<void>
  died: Promise<StartError>
}

type ServerOptions = {
  files: ClusterFiles
  binaries: PostgresBinaries
  account: PostgresAccount
  settings: Readonly<Record<string, string>>
  log: (line: string) => void
  /** A live process that is no PostgreSQL but has the process id in `postmaster.pid`. */
  stranger?: number
}

/** Starts the server on a free port and waits until it is ready. @throws StartError */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  keepOneOldLog(options.files)
  const until = performance.now() + LET_GO_MS
  for (;;) {
    const attempt = await launch(options)
    if (attempt.ready) return attempt.server
    const passing = /Address already in use|pre-existing shared memory block/.test(attempt.problem)
    if (!passing || performance.now() > until) throw serverFailed({ ...options, ...attempt })
    await sleep(100)
  }
}

type Attempt = { ready: true; server: RunningServer } | { ready: false; problem: string }

async function launch(options: ServerOptions): Promise<Attempt> {
  const { files } = options
  const port = await freePort()
  const logBefore = sizeOf(files.logFile)
  const child = spawnServer({ ...options, port })
  let ended = false
  let failure = ''
  const end = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      failure = error.message
      ended = true
      resolve()
    })
    child.on('exit', () => {
      ended = true
      resolve()
    })
  })
  const problem = () =>
    failure ||
    readFileSync(files.logFile).subarray(logBefore).subarray(-LAST_LINES_BYTES).toString('utf8')
  const processId = child.pid
  if (processId === undefined) {
    await end
    return { ready: false, problem: problem() }
  }
  const watchdog = startWatchdog({ processId, cluster: files.cluster })
  let stopRequested = false
  const stop = async () => {
    stopRequested = true
    for (const { signal, waitMs } of STOP_STEPS) {
      if (!ended) child.kill(signal)
      await endOrPause({ end, waitMs })
      if (ended) break
    }
    watchdog.dismiss()
  }
  let stopping: Promise<void> | undefined
  const stopOnce = () => (stopping ??= stop())

  const startedAt = performance.now()
  let logged = false
  while (!isReady({ cluster: files.cluster, processId })) {
    if (ended) {
      await stopOnce()
      return { ready: false, problem: problem() }
    }
    const waited = performance.now() - startedAt
    if (waited > 3_000 && !logged) {
      logged = true
      options.log('The database is putting itself in order after a sudden end …')
    }
    if (waited > READY_WITHIN_MS) {
      await stopOnce()
      return { ready: false, problem: `not ready after ${READY_WITHIN_MS / 1000} s` }
    }
    await sleep(POLL_MS)
  }
  // From here on an empty event loop may end the process: the watchdog ends the server.
  child.unref()
  const died = end.then(() => {
    if (stopRequested) return new Promise<StartError>(() => {})
    watchdog.dismiss()
    if (reportsDiskFull(lastWords(problem()))) return diskFull(files.dataDir)
    return new StartError(
      `The embedded database has ended unexpectedly: see the last lines of ${files.logFile}, and start again.`,
    )
  })
  return { ready: true, server: { port, stop: stopOnce, died } }
}

async function endOrPause({ end, waitMs }: { end: Promise<void>; waitMs: number }): Promise<void> {
  const pause = new AbortController()
  await Promise.race([end, sleep(waitMs, undefined, { signal: pause.signal }).catch(() => {})])
  pause.abort()
}

function spawnServer({
  files,
  binaries,
  account,
  settings,
  stranger,
  port,
}: ServerOptions & { port: number }): ChildProcess {
  const all = {
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No Unix socket: its path has a length limit that a deep clone exceeds.
    unix_socket_directories: '',
  }
  const { file, args, ...identity } = account.launch(binaries.postgres, [
    ...['-D', files.cluster],
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  // PostgreSQL ignores a lock file that names this process, but still makes sure that no process holds the old
  // server's memory (CreateLockFile in its miscinit.c); deleting the file would skip that check.
  if (stranger !== undefined) env.PG_GRANDPARENT_PID = String(stranger)
  const log = openLog(files)
  try {
    return spawn(file, args, {
      ...identity,
      cwd: '/',
      detached: true,
      env,
      stdio: ['ignore', log, log],
    })
  } finally {
    closeSync(log)
  }
}

/** `pg_ctl` waits for this too: the eighth line of `postmaster.pid`. */
function isReady({ cluster, processId }: { cluster: string; processId: number }): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(processId) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = address && typeof address === 'object' ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** What a server's log says of its end: what it has outlived, and has recovered from since, ended nothing. */
function lastWords(log: string): string {
  const [present = ''] = log.split('ready to accept connections').slice(-1)
  return present
    .split('\n')
    .filter((line) => /PANIC|FATAL/.test(line))
    .join('\n')
}

function keepOneOldLog({ logFile }: ClusterFiles): void {
  try {
    rmSync(`${logFile}.1`, { force: true })
    renameSync(logFile, `${logFile}.1`)
  } catch {
    // At the first start the file does not exist.
  }
}

function openLog({ logFile, dataDir }: ClusterFiles): number {
  try {
    const opened = openSync(logFile, 'a', 0o600)
    giveToOwner(logFile)
    return opened
  } catch (cause) {
    throw unwritableFolder({ folder: dataDir, cause })
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function serverFailed({ files, problem }: { files: ClusterFiles; problem: string }): StartError {
  if (reportsDiskFull(problem)) return diskFull(files.dataDir)
  const lines = problem.trim().split('\n')
  const cause = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1) ?? ''
  const plain = cause.replace(/^.*?(FATAL|PANIC|ERROR): +/, '').trim()
  return new StartError(
    `The embedded database in ${files.dataDir} does not start (${plain}): see ${files.logFile}, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}
