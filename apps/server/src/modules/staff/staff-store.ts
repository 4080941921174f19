/** The staff module's SQL: members, their sessions, and counts of tries. */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { StaffRole } from '@sum28/contract/route.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'

export type Member = {
  id: number
  name: string
  role: StaffRole
  passwordHash: string
  encryptedTotpSecret: Buffer
  totpKeyId: string
  active: boolean
  /** Whether he has confirmed his secret by a code, or made a passkey in its place. */
  enrolled: boolean
  /** Whether his role requires a passkey. */
  passkeyRequired: boolean
  /** Whether it does and he has one, so that password and code prove nothing. */
  provesByPasskey: boolean
}

const PASSKEY_REQUIRED = 'role in (select passkey_role.role from staff.passkey_role)'

/** Of a row of `staff.member`. */
export const PROVES_BY_PASSKEY = `(${PASSKEY_REQUIRED}
  and exists (select from staff.passkey where staff_id = member.id and cloned_at is null))`

/** Of a row of `staff.member`: somebody has given five wrong codes with the password of an active member. */
export const CODES_GUESSED = 'code_tries >= 5 and active'

const MEMBER = `id, name, role, password_hash as "passwordHash",
  encrypted_totp_secret as "encryptedTotpSecret", totp_key_id as "totpKeyId", active, enrolled_at is not null as enrolled,
  ${PASSKEY_REQUIRED} as "passkeyRequired", ${PROVES_BY_PASSKEY} as "provesByPasskey"`

/** Finds a member, whether active or not, by his name in any case. */
export function memberByName(db: Queryable, name: string): Promise<Member | undefined> {
  return db.first<Member>(`select ${MEMBER} from staff.member where name = $1`, [
    asciiLowerCase(name),
  ])
}

export type StoredCredentials = {
  passwordHash: string
  encryptedTotpSecret: Buffer
  totpKeyId: string
  /** Whether he was given the secret; without it he enrols at his first sign-in. */
  enrolled: boolean
}

// Only functions of the database change members of staff, and each also writes the audit log.

/**
 * Adds a member.
 *
 * @param member `by`: who made him, for the audit log
 * @returns false if the name is taken
 */
export async function addMember(
  tx: Transaction,
  member: StoredCredentials & { name: string; role: StaffRole; by: string },
): Promise<boolean> {
  return (await callFunction(tx, 'staff.make_member', ...valuesOf(member))) !== null
}

function valuesOf(member: StoredCredentials & { name: string; role: string | null; by: string }) {
  const { name, role, passwordHash, encryptedTotpSecret, totpKeyId, by, enrolled } = member
  return [name, role, passwordHash, encryptedTotpSecret, totpKeyId, by, enrolled]
}

/**
 * Gives a member new credentials, and another role if one is given; his sessions end, and he is active again.
 *
 * @returns his role; null if there is no member of that name
 */
export function changeCredentials(
  db: Queryable,
  member: StoredCredentials & { name: string; role: StaffRole | null; by: string },
): Promise<StaffRole | null> {
  return callFunction(db, 'staff.reset_member', ...valuesOf(member))
}

export function hasMembers(db: Queryable): Promise<boolean> {
  return db.exists(`select from staff.member limit 1`)
}

/**
 * Marks the code of a time step as used: false if it, or a later one, has been used, or the password that was checked
 * is no longer his. One statement, so that of two simultaneous calls only one succeeds.
 *
 * @param member without an id it takes as long and returns false
 */
export function useTimeStep(
  tx: Transaction,
  member: { id: number | null; step: number; passwordHash: string },
): Promise<boolean> {
  return tx.exists(
    `update staff.member set totp_time_step = $2
     where id = $1 and totp_time_step < $2 and password_hash = $3 and active returning id`,
    [member.id, member.step, member.passwordHash],
  )
}

/** Records a failed sign-in if the name exists, once a minute; one statement in each case. */
export async function auditFailedSignIn(
  tx: Transaction,
  { name, address }: { name: string; address: string },
): Promise<void> {
  await callFunction(tx, 'staff.audit_failed_sign_in', name, address)
}

/** The addresses from which a member has signed in within 90 days; none without a member. */
export function addressesOf(db: Queryable, staffId: number | null): Promise<string[]> {
  return db.column<string>(
    `select distinct address from staff.session
     where staff_id = $1 and created_at > app.now() - interval '90 days'`,
    [staffId],
  )
}

/**
 * Counts a code that is given with the right password: the first five at once, then each only after a wait, from a
 * second up to a day. Only a right code, or a new password, resets the count. A try on a clock that was ahead delays no
 * other once it is set back.
 *
 * @param staffId without a member it takes as long and returns false
 * @returns whether the code may be checked
 */
export function countCodeTry(db: Queryable, staffId: number | null): Promise<boolean> {
  return db.exists(
    `update staff.member set code_tries = code_tries + 1, code_tried_at = app.now()
     where id = $1 and (code_tried_at is null or code_tried_at > app.now()
       or code_tried_at + accounts.wait_after(code_tries, 5, 86400) <= app.now())
     returning id`,
    [staffId],
  )
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

/** Ends one session and records that; false if it had ended. */
export function endSession(
  db: Queryable,
  { tokenHash, address }: { tokenHash: Buffer; address: string },
): Promise<boolean> {
  return callFunction(db, 'staff.end_session', tokenHash, address)
}
