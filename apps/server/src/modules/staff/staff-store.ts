/** The staff module's SQL: members, their sessions, and how often a name was tried. */
import type { StaffRole } from '@sum28/contract/route.ts'
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type Member = {
  id: number
  name: string
  role: StaffRole
  passwordHash: string
  sealedTotpSecret: Buffer
  totpKeyId: string
  active: boolean
}

const MEMBER = `id, name, role, password_hash as "passwordHash",
  sealed_totp_secret as "sealedTotpSecret", totp_key_id as "totpKeyId", active`

/** Finds a member, whether active or not. Names are lower case. */
export async function memberByName(db: Queryable, name: string): Promise<Member | undefined> {
  const [row] = await db.query<Member>(`select ${MEMBER} from staff.member where name = $1`, [name])
  return row
}

export async function membersNotSealedWith(
  db: Queryable,
  keyId: string,
  limit: number,
): Promise<Member[]> {
  return db.query<Member>(
    `select ${MEMBER} from staff.member where totp_key_id <> $1 order by id limit $2`,
    [keyId, limit],
  )
}

/** Stores the same secret under another key, unless it has been changed meanwhile. */
export async function resealMember(
  db: Queryable,
  sealed: { name: string; before: Buffer; sealedTotpSecret: Buffer; totpKeyId: string },
): Promise<void> {
  await db.query(
    `update staff.member set sealed_totp_secret = $3, totp_key_id = $4
     where name = $1 and sealed_totp_secret = $2`,
    [sealed.name, sealed.before, sealed.sealedTotpSecret, sealed.totpKeyId],
  )
}

/** What a member signs in with: a hash and a sealed secret. */
export type StoredCredentials = {
  passwordHash: string
  sealedTotpSecret: Buffer
  totpKeyId: string
}

/** Adds a member and gives his id; undefined when the name is taken. */
export async function addMember(
  tx: Transaction,
  member: StoredCredentials & { name: string; role: StaffRole },
): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(
    `insert into staff.member (name, role, password_hash, sealed_totp_secret, totp_key_id)
     values ($1, $2, $3, $4, $5) on conflict on constraint staff_name_taken do nothing returning id`,
    [member.name, member.role, member.passwordHash, member.sealedTotpSecret, member.totpKeyId],
  )
  return row?.id
}

/** Gives a member new credentials, and another role where one is named; he is active again. */
export async function changeCredentials(
  tx: Transaction,
  member: StoredCredentials & { name: string; role: StaffRole | null },
): Promise<{ id: number; role: StaffRole } | undefined> {
  const [row] = await tx.query<{ id: number; role: StaffRole }>(
    `update staff.member set role = coalesce($2, role), password_hash = $3,
       sealed_totp_secret = $4, totp_key_id = $5, totp_step_used = 0, active = true
     where name = $1 returning id, role`,
    [member.name, member.role, member.passwordHash, member.sealedTotpSecret, member.totpKeyId],
  )
  return row
}

/** Closes a member's account; undefined when there is none of that name. */
export async function deactivateMember(tx: Transaction, name: string): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(
    `update staff.member set active = false where name = $1 returning id`,
    [name],
  )
  return row?.id
}

/** Whether there is any member; until the transaction ends nobody else asks. */
export async function hasMembers(tx: Transaction): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('staff.first members'))`)
  const rows = await tx.query(`select from staff.member limit 1`)
  return rows.length > 0
}

/**
 * Uses up the code of a time step: false when it, or a later one, has been used, or the password
 * that was checked is no longer his. One statement, so that of two at once only one succeeds.
 *
 * @param member without an id it takes as long and says no
 */
export async function useTotpStep(
  tx: Transaction,
  member: { id: number | null; step: number; passwordHash: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update staff.member set totp_step_used = $2
     where id = $1 and totp_step_used < $2 and password_hash = $3 and active returning id`,
    [member.id, member.step, member.passwordHash],
  )
  return rows.length === 1
}

/** Writes a failed sign-in down if somebody has the name; one statement whether or not. */
export async function auditFailedSignIn(
  tx: Transaction,
  { name, address }: { name: string; address: string },
): Promise<void> {
  await tx.query(
    `select staff.append_audit(id, 'sign_in_failed', 'staff:' || id, jsonb_build_object('address', $2::text))
     from staff.member where name = $1`,
    [name, address],
  )
}

type Tried = { nameHash: Buffer; network: string }

/** Counts a try and says how many there were within so many minutes, this one with them. */
export async function countTry(
  db: Queryable,
  { nameHash, network, minutes }: Tried & { minutes: number },
): Promise<number> {
  await db.query(
    `delete from staff.sign_in_tries where since < app.now() - make_interval(mins => $1)`,
    [minutes],
  )
  const counted = await db.query<{ tries: number }>(
    `insert into staff.sign_in_tries (name_hash, network) values ($1, $2)
     on conflict (name_hash, network) do update set tries = sign_in_tries.tries + 1
     returning tries`,
    [nameHash, network],
  )
  return only(counted).tries
}

/** Forgets the tries of a name from a network, after a right one. */
export async function forgetTries(tx: Transaction, { nameHash, network }: Tried): Promise<void> {
  await tx.query(`delete from staff.sign_in_tries where name_hash = $1 and network = $2`, [
    nameHash,
    network,
  ])
}

export type SessionRow = {
  tokenHash: string
  staffId: number
  name: string
  role: StaffRole
  active: boolean
  createdAt: number
  seenAt: number
  endedBy: 'logout' | 'reset' | 'inactive' | null
  now: number
}

/** Sessions by the hex of their token's hash. */
export async function sessionsByHash(
  db: Queryable,
  hashes: readonly string[],
): Promise<Map<string, SessionRow>> {
  const rows = await db.query<SessionRow>(
    `select encode(token_hash, 'hex') as "tokenHash", staff_id as "staffId", name, role, active,
       session.created_at as "createdAt", seen_at as "seenAt", ended_by as "endedBy", app.now() as now
     from staff.session join staff.member on member.id = staff_id
     where token_hash = any (select decode(hash, 'hex') from unnest($1::text[]) hash)`,
    [hashes],
  )
  return new Map(rows.map((row) => [row.tokenHash, row]))
}

export async function addSession(
  tx: Transaction,
  session: { tokenHash: Buffer; staffId: number },
): Promise<void> {
  await tx.query(`insert into staff.session (token_hash, staff_id) values ($1, $2)`, [
    session.tokenHash,
    session.staffId,
  ])
}

export async function touchSession(db: Queryable, tokenHash: string): Promise<void> {
  await db.query(
    `update staff.session set seen_at = app.now() where token_hash = decode($1, 'hex')`,
    [tokenHash],
  )
}

/** Ends one session; false when it had ended. */
export async function endSession(tx: Transaction, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `update staff.session set ended_at = app.now(), ended_by = 'logout'
     where token_hash = $1 and ended_at is null returning staff_id`,
    [tokenHash],
  )
  return rows.length === 1
}

/** Ends every session of a member. */
export async function endSessionsOf(
  tx: Transaction,
  { staffId, endedBy }: { staffId: number; endedBy: 'reset' | 'inactive' },
): Promise<void> {
  await tx.query(
    `update staff.session set ended_at = app.now(), ended_by = $2
     where staff_id = $1 and ended_at is null`,
    [staffId, endedBy],
  )
}
