import { expect } from 'vitest'
import { decryptMail, type QueuedMail } from '#src/adapters/mail/outbox.ts'
import type { Queryable } from '#src/db/database.ts'
import { auditRows } from '#src/modules/staff/audit.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { CIPHER } from '../product/secret-key.ts'
import { addPlayer } from './fixtures.ts'
import type { TestDatabase } from './test-database.ts'

/** The latest rows of the audit log, newest first; 100 by default. */
export async function loggedActions(db: Queryable, limit = 100) {
  const page = await auditRows(db, 'UTC', { limit })
  if (isRefusal(page)) throw new Error(page.refused)
  return page.list
}

/** The mails in the queue, the latest first; null for one that is sent to nobody. `at` in milliseconds since 1970. */
export async function queuedMails({ owner }: Pick<TestDatabase, 'owner'>) {
  const jobs = await owner.query<{ mail: QueuedMail | null; at: number }>(
    `select payload->'mail' as mail, (extract(epoch from created_at) * 1000)::float8 as at
     from graphile_worker._private_jobs where payload::jsonb ? 'mail' order by id desc`,
  )
  return jobs.map(({ mail, at }) => {
    if (!mail) return null
    const { to, subject, text } = decryptMail(CIPHER, mail)
    return { to, subject, text, at }
  })
}

/** The six digits of the latest mail in the queue, which must be to this address. */
export async function queuedCode(
  { owner }: Pick<TestDatabase, 'owner'>,
  email: string,
): Promise<string> {
  const [mail] = await queuedMails({ owner })
  const { to, subject } = mail ?? {}
  const code = /\d{6}/.exec(subject ?? '')?.[0]
  if (to !== email || code === undefined) throw new Error(`the latest mail is to ${to}: ${subject}`)
  return code
}

/** Sessions and devices of the player: live and known ones, and those that were over before; and of another player. */
export async function addSessions(
  database: TestDatabase,
  playerId: number,
  before: number,
): Promise<void> {
  const other = await addPlayer(database)
  await database.owner.query(
    `insert into accounts.session (token_hash, player_id, net_at_start, ended_at, ended_by) values
       ('1 live', $1, 0, null, null), ('2 left before', $1, 0, $3, 'logout'), ('3 of another', $2, 0, null, null)`,
    [playerId, other, new Date(before)],
  )
  await database.owner.query(
    `insert into accounts.remembered_device (secret_hash, player_id, expires_at, used_at, ended_at) values
       ('1 live', $1, 'infinity', null, null), ('2 used', $1, 'infinity', $3, null),
       ('3 left before', $1, 'infinity', null, $3), ('4 of another', $2, 'infinity', null, null)`,
    [playerId, other, new Date(before)],
  )
  await database.owner.query(
    `insert into accounts.known_device (player_id, secret_hash) values ($1, '1 live'), ($2, '2 of another')`,
    [playerId, other],
  )
}

/** The live sessions and devices of {@link addSessions}' player have ended, and no others. `at` in milliseconds since 1970. */
export async function expectSignedOut(
  { owner }: Pick<TestDatabase, 'owner'>,
  { at, by, before }: { at: number; by: string; before: number },
): Promise<void> {
  const sessions = 'select ended_at, ended_by from accounts.session order by token_hash'
  expect(await owner.query(sessions)).toEqual([
    { ended_at: at, ended_by: by },
    { ended_at: before, ended_by: 'logout' },
    { ended_at: null, ended_by: null },
  ])
  const devices = 'select ended_at from accounts.remembered_device order by secret_hash'
  expect(await owner.column(devices)).toEqual([at, at, before, null])
}
