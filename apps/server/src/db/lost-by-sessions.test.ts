/** Connections that keep their sessions, and such as a pooler gives out, which do not. */
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { freePort, temporaryFolder } from '#testing/hosts/own-machine.ts'
import { eventually, PATIENT_TO_CONNECT } from '#testing/requests/patience.ts'
import { openPool } from './database.ts'
import { lostBy, lostBySessions, type Session } from './lost-by-sessions.ts'
import { reachAsOwner } from './reach-database.ts'
import { withClient } from './with-client.ts'

/** Sessions of which each statement gets the connection that `next` says, as a pooler hands them out. */
async function pooled(next: (statement: number) => number): Promise<Session[]> {
  const { applicationUrl } = await createTestDatabase()
  const pool = openPool(applicationUrl, { connectionsMax: 5, limits: PATIENT_TO_CONNECT })
  const connections = await Promise.all(Array.from({ length: 5 }, () => pool.connect()))
  onTestFinished(async () => {
    for (const connection of connections) connection.release()
    await pool.end()
  })
  let statements = 0
  return Array.from({ length: 4 }, () => ({
    async query(text: string) {
      const connection = connections[next(statements) % connections.length]
      statements += 1
      return connection?.query(text) ?? { rows: [] }
    },
    on: () => {},
  }))
}

describe('connections of one session each', () => {
  it('lose nothing', async () => {
    const { applicationUrl } = await createTestDatabase()
    expect(await lostBySessions({ connectionString: applicationUrl })).toBeNull()
  })
})

describe('connections that a pooler gives out', () => {
  it.each([
    ['the one that was used last', () => 0],
    ['the one that has waited longest', (statement: number) => statement],
    ['any', (statement: number) => (statement * 7 + 3) % 11],
  ])('for each statement %s lose their sessions', async (_what, next) => {
    expect(await lostBy(await pooled(next))).toBe('the process of the server changes')
  })

  it.each([
    [
      'a lock is held twice',
      (text: string) => (/try_advisory/.test(text) ? true : undefined),
      true,
    ],
    [
      'settings do not arrive',
      (text: string) => (/lock_timeout/.test(text) ? '0' : undefined),
      true,
    ],
    ['a notification does not arrive', () => undefined, false],
  ])('or lose one thing alone: %s', async (lost, answer, hears) => {
    const { applicationUrl } = await createTestDatabase()
    // Each look takes a second.
    let moment = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      moment += 1_000
      return moment
    })
    onTestFinished(() => clock.mockRestore())
    const address = {
      connectionString: applicationUrl,
      lock_timeout: 28_000,
      options: '-c idle_session_timeout=280000',
    }
    const result = await withClient(address, (one) =>
      withClient(address, (other) =>
        lostBy(
          [one, other].map((session) => ({
            async query(text) {
              const value = answer(text)
              return value === undefined ? session.query(text) : { rows: [{ value }] }
            },
            on: (event, hear) => hears && session.on(event, hear),
          })),
        ),
      ),
    )
    expect(result).toBe(lost)
  })
})

/** PgBouncer, where it is installed. */
const PG_BOUNCER = 'pgbouncer'
const hasPgBouncer = spawnSync(PG_BOUNCER, ['--version']).status === 0

describe.skipIf(!hasPgBouncer)('PgBouncer', () => {
  /** Starts it before a test's database. */
  async function pgBouncer(mode: string, more = ''): Promise<string> {
    const { ownerUrl } = await createTestDatabase()
    const { hostname, port, username, password, pathname } = new URL(ownerUrl)
    const folder = temporaryFolder()
    const own = await freePort()
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${more}
`,
      { mode: 0o644 },
    )
    spawnSync('chmod', ['755', folder])
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    const child = spawn(PG_BOUNCER, ['-q', ...asUser, file], { stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    const url = `postgres://${username}@127.0.0.1:${own}${pathname}`
    await eventually(() =>
      lostBySessions({ connectionString: url }).then(
        () => true,
        (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? undefined : true),
      ),
    )
    return url
  }

  it.each(['transaction', 'statement'])('in %s mode is refused at the start', async (mode) => {
    const url = await pgBouncer(mode, 'ignore_startup_parameters = lock_timeout,options')
    await expect(reachAsOwner(url)).rejects.toThrow(/do not keep their sessions \(the process/)
  })

  it('in session mode is refused if it drops settings or refuses them', async () => {
    const dropping = await pgBouncer('session', 'ignore_startup_parameters = lock_timeout,options')
    await expect(reachAsOwner(dropping)).rejects.toThrow('settings do not arrive')
    const refusing = await pgBouncer('session')
    await expect(reachAsOwner(refusing)).rejects.toThrow('unsupported startup parameter')
  })
})
