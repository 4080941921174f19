/**
 * Tries whether connections keep what belongs to a session. A pooler that gives each transaction any connection to the
 * server, such as PgBouncer in transaction mode, keeps nothing of it, and nothing fails: two processes hold one lock,
 * and no news arrive.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { withClient } from './with-client.ts'

/** So many that two of them have the same pooler, where several share an address. */
const SESSIONS = 4

/** How long a notification may take to arrive: it is sent before the statement that follows it is answered. */
const NEWS_WITHIN_MS = 5_000

/** Settings of a connection's start, one of each kind that our pools send, and what the server then says. */
const SETTINGS = {
  given: { lock_timeout: 28_000, options: '-c idle_session_timeout=280000' },
  kept: ['28s', '280s'],
} as const

/**
 * @param address with which several connections are opened
 * @returns what a session loses, in words; null if it keeps everything
 * @throws what connecting throws
 */
export function lostBySessions(address: pg.ClientConfig): Promise<string | null> {
  return withSessions({ ...address, ...SETTINGS.given }, lostBy)
}

function withSessions<Result>(
  address: pg.ClientConfig,
  work: (sessions: pg.Client[]) => Promise<Result>,
  open: pg.Client[] = [],
): Promise<Result> {
  if (open.length === SESSIONS) return work(open)
  return withClient(address, (client) => withSessions(address, work, [...open, client]))
}

/** A connection as its user sees it. */
export type Session = {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>
  on(event: 'notification', hear: () => void): unknown
}

/** What these sessions lose, in words; null if they keep everything. */
export async function lostBy(sessions: readonly Session[]): Promise<string | null> {
  if (!(await keepProcess(sessions))) return 'the process of the server changes'
  if (!(await keepLock(sessions))) return 'a lock is held twice'
  if (!(await keepSettings(sessions))) return 'settings do not arrive'
  return (await hearNews(sessions)) ? null : 'a notification does not arrive'
}

async function askFor(session: Session, expression: string): Promise<unknown> {
  const { rows } = await session.query(`select ${expression} as value`)
  return rows[0]?.value
}

/** Each session has one process of the server, and each another one. Asked twice, in another order. */
async function keepProcess(sessions: readonly Session[]): Promise<boolean> {
  const processes = new Map<Session, unknown>()
  for (const session of sessions) processes.set(session, await askFor(session, 'pg_backend_pid()'))
  for (const session of sessions.toReversed()) {
    if ((await askFor(session, 'pg_backend_pid()')) !== processes.get(session)) return false
  }
  return new Set(processes.values()).size === sessions.length
}

async function keepLock([one, ...others]: readonly Session[]): Promise<boolean> {
  const key = randomInt(2 ** 47)
  if (!one || !(await askFor(one, `pg_try_advisory_lock(${key})`))) return false
  for (const other of others) {
    if (await askFor(other, `pg_try_advisory_lock(${key})`)) return false
  }
  return (await askFor(one, `pg_advisory_unlock(${key})`)) === true
}

async function keepSettings(sessions: readonly Session[]): Promise<boolean> {
  for (const session of sessions) {
    const lock = await askFor(session, `current_setting('lock_timeout')`)
    const silence = await askFor(session, `current_setting('idle_session_timeout')`)
    if (lock !== SETTINGS.kept[0] || silence !== SETTINGS.kept[1]) return false
  }
  return true
}

async function hearNews([one, other]: readonly Session[]): Promise<boolean> {
  const channel = `sum28_${randomBytes(8).toString('hex')}`
  let heard = false
  one?.on('notification', () => {
    heard = true
  })
  await one?.query(`listen ${channel}`)
  await other?.query(`notify ${channel}`)
  const end = performance.now() + NEWS_WITHIN_MS
  while (!heard && performance.now() < end) {
    await one?.query('select')
    await sleep(10)
  }
  return heard
}
