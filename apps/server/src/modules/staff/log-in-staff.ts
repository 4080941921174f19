/** Signs staff in, by a password and a code that is valid once: of an authenticator, or for recovery. */
import { randomBytes } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import type { Database, Transaction } from '#src/db/database.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { type TryGuard, tryGuard } from '#src/modules/accounts/sign-in-guard.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { timeStepOf } from '#src/secrets/one-time-codes.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { hashRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { startStaffSession } from './staff-session.ts'
import {
  addressesOf,
  auditFailedSignIn,
  countCodeTry,
  type Member,
  memberByName,
  useTimeStep,
} from './staff-store.ts'
import { decryptTotpSecret } from './totp.ts'

/** Used if there is no such member, for the same work. */
const DUMMY_SECRET = randomBytes(20)

type StaffSignIn = {
  account: string
  password: string
  totp?: string | undefined
  recoveryCode?: string | undefined
  address: string
}

export type SignInDeps = {
  db: Database
  cipher: SecretCipher
  guard: StaffGuard
}

type StaffGuard = TryGuard<{ staffId: number | null }>

/** Limits wrong tries as for players; a member has his allowance on each network that he has signed in from. */
export function staffGuard(deps: { db: Database; key: Buffer; on: boolean }): StaffGuard {
  return tryGuard(deps, {
    hashing: hashing.staff,
    isKnown: async ({ staffId, network }) =>
      (await addressesOf(deps.db, staffId)).some((address) => networkOf(address) === network),
  })
}

/** The state of a sign-in after the password was checked. */
type Tried = {
  /** The member with that name; `right` says whether the password is his. */
  member: Member | undefined
  right: boolean
  /** Whether a code may be checked: not after many wrong ones with the right password. */
  mayGiveCode: boolean
  /** The product's time, in milliseconds since 1970. */
  now: number
}

/**
 * Checks name, password and code, and begins a session. Neither the answer nor its time reveals what was wrong. A
 * member who has not enrolled is refused like a stranger.
 *
 * @returns the session's token, or `account_or_password_wrong`, or `passkey_required` (only if all was right), or
 * `too_many_requests` with the seconds to wait
 */
export function logInStaff(
  deps: SignInDeps,
  { totp = '', recoveryCode, ...who }: StaffSignIn,
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  return tryAsMember(deps, who, async (tx, { member, right, mayGiveCode, now }) => {
    const secret = member ? decryptTotpSecret(deps.cipher, member) : DUMMY_SECRET
    const step = timeStepOf(totp, { secret, at: now })
    const identified = member !== undefined && right && mayGiveCode && member.enrolled
    const checked = { passwordHash: member?.passwordHash ?? '' }
    const proved =
      recoveryCode === undefined
        ? await useTimeStep(tx, {
            id: identified && step !== null ? member.id : null,
            step: step ?? 0,
            ...checked,
          })
        : await useRecoveryCode(tx, {
            id: identified ? member.id : null,
            codeHash: hashRecoveryCode(recoveryCode),
            address: who.address,
            ...checked,
          })
    if (!identified || !proved) return refuse('account_or_password_wrong')
    if (member.passkeyRequired) return refuse('passkey_required')
    const token = await startStaffSession(tx, { staffId: member.id, address: who.address })
    return { token, name: member.name, role: member.role }
  })
}

/**
 * Runs what a member may do after proving his password, in one transaction. Tries are counted for the name over all
 * networks and for the network over all names (`sign-in-guard.ts`), before a password is hashed. A try with the right
 * password is also counted for the member, from whatever network it comes, until one is right: whoever has only the
 * password would guess the code.
 *
 * @param work must refuse if the caller is not the member; a refusal is logged as a failed sign-in
 */
export async function tryAsMember<Result>(
  { db, guard }: SignInDeps,
  { account, password, address }: { account: string; password: string; address: string },
  work: (tx: Transaction, tried: Tried) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const name = asciiLowerCase(account.trim())
  const member = await memberByName(db, name)
  const staffId = member?.id ?? null
  // Counted before it is checked, so that simultaneous tries cannot exceed the limit.
  const network = networkOf(address)
  const counted = await guard.count({ name, staffId, network })
  if (isRefusal(counted)) return counted
  const now = await db.value<number>('select app.now()')
  const right = await hashing.staff.verify(password, member?.passwordHash ?? null, network)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  const mayGiveCode = await countCodeTry(db, right ? staffId : null)
  const act = async (tx: Transaction) => {
    const result = await work(tx, { member, right, mayGiveCode, now })
    if (isRefusal(result)) await auditFailedSignIn(tx, { name, address })
    if (wasRight(result))
      await tx.query('update staff.member set code_tries = 0 where id = $1', [staffId])
    return result
  }
  // The audit log records a failed try.
  const result = await db.transaction(act, { keepRefusals: true })
  if (!wasRight(result)) return counted.ifWrong ?? result
  await guard.right(counted)
  return result
}

/** Whether nothing was guessed: that a passkey is required is said only if all was right. */
function wasRight(result: unknown): boolean {
  return !isRefusal(result) || result.refused === 'passkey_required'
}
