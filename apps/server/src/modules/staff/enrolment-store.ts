/** The SQL of enrolment, recovery codes and a member's own sessions. Only functions of the database write. */
import { callFunction, only, type Queryable } from '#src/db/database.ts'
import type { EncryptedTotpSecret } from './totp.ts'

/** `passwordHash` is the hash that the password was checked against: if it has changed, nothing is done. */
type Checked = { id: number | null; passwordHash: string; address: string }

export async function storeEnrolmentSecret(
  db: Queryable,
  member: Checked & EncryptedTotpSecret,
): Promise<boolean> {
  return callFunction(
    db,
    'staff.begin_enrolment',
    member.id,
    member.passwordHash,
    member.encryptedTotpSecret,
    member.totpKeyId,
    member.address,
  )
}

export async function enrolMember(
  db: Queryable,
  member: Checked & {
    /** The secret that the code was checked against. */
    encryptedTotpSecret: Buffer
    step: number
    newPasswordHash: string
    codeHashes: readonly Buffer[]
  },
): Promise<boolean> {
  return callFunction(
    db,
    'staff.confirm_enrolment',
    member.id,
    member.passwordHash,
    member.encryptedTotpSecret,
    member.step,
    member.newPasswordHash,
    member.codeHashes,
    member.address,
  )
}

/** Marks a recovery code as used; without an id it takes as long and returns false. */
export async function useRecoveryCode(
  db: Queryable,
  member: Checked & { codeHash: Buffer },
): Promise<boolean> {
  return callFunction(
    db,
    'staff.use_recovery_code',
    member.id,
    member.passwordHash,
    member.codeHash,
    member.address,
  )
}

export async function replaceRecoveryCodes(
  db: Queryable,
  { codeHashes, session }: { codeHashes: readonly Buffer[]; session: string },
): Promise<void> {
  await db.query('select staff.renew_recovery_codes($1, $2)', [codeHashes, session])
}

export async function recoveryCodesLeft(db: Queryable, staffId: number): Promise<number> {
  const rows = await db.query<{ left: number }>(
    `select count(*)::integer as left from staff.recovery_code where staff_id = $1 and used_at is null`,
    [staffId],
  )
  return only(rows).left
}

export type OwnSession = {
  id: number
  begunAt: number
  seenAt: number
  address: string
  current: boolean
}

/** The active sessions of a member, latest first. */
export function liveSessionsOf(
  db: Queryable,
  { staffId, tokenHash }: { staffId: number; tokenHash: Buffer },
): Promise<OwnSession[]> {
  return db.query<OwnSession>(
    `select id::integer, created_at as "begunAt", seen_at as "seenAt", address, token_hash = $2 as current
     from staff.session
     where staff_id = $1 and ended_at is null and seen_at >= app.now() - interval '15 minutes'
       and created_at >= app.now() - interval '12 hours'
     order by created_at desc, id desc limit 100`,
    [staffId, tokenHash],
  )
}

export function endSessionOfOwn(
  db: Queryable,
  { id, session }: { id: number; session: string },
): Promise<'closed' | 'not_found'> {
  return callFunction(db, 'staff.end_own_session', id, session)
}
