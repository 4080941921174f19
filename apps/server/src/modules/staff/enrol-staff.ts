/**
 * The first sign-in of a member: he adds a TOTP secret to his authenticator and confirms it by a code, or makes a passkey
 * (`staff-passkeys.ts`).
 */
import { callFunction, type Queryable } from '#src/db/database.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { isCommonPassword, isSamePassword } from '#src/modules/accounts/password.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import {
  EMAIL_OF_COLLEAGUE,
  isRefusal,
  malformed,
  type Refusal,
  refuse,
} from '#src/refusal/refusal.ts'
import {
  newRecoveryCodes,
  newTotpSecret,
  timeStepOf,
  totpSetup,
} from '#src/secrets/one-time-codes.ts'
import { actAsStaff } from './audit.ts'
import { type SignInDeps, tryAsMember } from './log-in-staff.ts'
import { addressOfMember, mailOwnChange, type OwnChange } from './mail-own-change.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { startStaffSession } from './staff-session.ts'
import { type Member, useTimeStep } from './staff-store.ts'
import { decryptTotpSecret, encryptTotpSecret } from './totp.ts'

type WithPassword = { account: string; password: string; address: string }

/**
 * Makes the secret of a member who has not enrolled. An earlier secret becomes void, so that nobody can use one that
 * he saw before.
 *
 * @returns the secret, or account_or_password_wrong (also for a member who has enrolled), too_many_requests
 */
export function beginEnrolment(
  deps: SignInDeps,
  who: WithPassword,
): Promise<{ secret: string; otpauth: string; member: Member } | Refusal> {
  return tryAsMember(deps, who, async (tx, { member, right }) => {
    if (!member || !right || member.enrolled) return refuse('account_or_password_wrong')
    const secret = newTotpSecret()
    const { id, passwordHash, name } = member
    const { encryptedTotpSecret, totpKeyId } = encryptTotpSecret(deps.cipher, { name, secret })
    const sealed = [encryptedTotpSecret, totpKeyId, who.address]
    const begin = 'staff.begin_enrolment'
    if (!(await callFunction<boolean>(tx, begin, id, passwordHash, ...sealed)))
      return refuse('account_or_password_wrong')
    const { totpSecret, otpauth } = totpSetup(secret, member.name)
    return { secret: totpSecret, otpauth, member }
  })
}

/**
 * Enrols a member by a code of the secret that he was shown: from now on he signs in with his chosen password and a
 * code. He is signed in at once.
 *
 * @returns the session's token and his recovery codes, which are stored nowhere; or password_same,
 * password_common, account_or_password_wrong (also where another secret was made meanwhile),
 * passkey_required (only if all was right), too_many_requests
 */
export async function confirmEnrolment(
  deps: SignInDeps,
  { totp, newPassword, ...who }: WithPassword & { totp: string; newPassword: string },
): Promise<
  { token: string; name: string; role: Member['role']; recoveryCodes: string[] } | Refusal
> {
  // These two refusals reveal nothing about the account.
  if (isSamePassword(newPassword, who.password)) return refuse('password_same')
  if (isCommonPassword(newPassword)) return refuse('password_common')
  return tryAsMember(deps, who, async (tx, { member, right, now }) => {
    if (!member || !right || member.enrolled) return refuse('account_or_password_wrong')
    const step = timeStepOf(totp, { secret: decryptTotpSecret(deps.cipher, member), at: now })
    if (step === null) return refuse('account_or_password_wrong')
    if (member.passkeyRequired) return refuse('passkey_required')
    const newPasswordHash = await hashing.staff.hash(newPassword, networkOf(who.address))
    if (isRefusal(newPasswordHash)) return newPasswordHash
    const codes = newRecoveryCodes()
    // If the password or the secret that were checked have changed, nothing is done.
    const checked = [member.id, member.passwordHash, member.encryptedTotpSecret, step]
    const chosen = [newPasswordHash, codes.map(hashRecoveryCode), who.address]
    const confirm = 'staff.confirm_enrolment'
    if (!(await callFunction<boolean>(tx, confirm, ...checked, ...chosen)))
      return refuse('account_or_password_wrong')
    const token = await startStaffSession(tx, { staffId: member.id, address: who.address })
    return { token, name: member.name, role: member.role, recoveryCodes: codes }
  })
}

type Proof = WithPassword & {
  totp: string
  /** The token of the session that the proof is for. */
  session: string
}

/** A call that needs a proof: it has password and code, or its session has been proved. */
export type ProvenCall = Omit<Proof, 'password' | 'totp'> & {
  password?: string | undefined
  totp?: string | undefined
}

/**
 * Checks password and code if a call has them. Whether the session has a proof, of these or of a passkey, is asked by
 * the function of the database that uses it up.
 *
 * @returns null, or invalid_input for half of them, or what `proveMember` refuses
 */
export async function proveIfGiven(
  deps: SignInDeps,
  { password, totp, ...who }: ProvenCall,
): Promise<null | Refusal> {
  if (password === undefined && totp === undefined) return null
  if (password === undefined) return malformed({ password: 'required' })
  if (totp === undefined) return malformed({ totp: 'required' })
  return proveMember(deps, { password, totp, ...who })
}

/**
 * Checks the password and a code of a signed-in member once more, for one thing within the next minute: the thief of
 * a session alone cannot do it.
 *
 * @returns null, or account_or_password_wrong, passkey_required (only if all was right), too_many_requests
 */
function proveMember(deps: SignInDeps, { totp, session, ...who }: Proof): Promise<null | Refusal> {
  return tryAsMember(deps, who, async (tx, { member, right, mayGiveCode, now }) => {
    if (!member || !right || !mayGiveCode || !member.enrolled)
      return refuse('account_or_password_wrong')
    const step = timeStepOf(totp, { secret: decryptTotpSecret(deps.cipher, member), at: now })
    if (step === null) return refuse('account_or_password_wrong')
    if (member.provesByPasskey) return refuse('passkey_required')
    const { id, passwordHash } = member
    const used =
      (await useTimeStep(tx, { id, step, passwordHash })) &&
      (await callFunction<boolean>(tx, 'staff.note_proof', hashSecret(session), passwordHash))
    return used ? null : refuse('account_or_password_wrong')
  })
}

/**
 * Gives a member another password, or another address, after a proof.
 *
 * @returns null, or invalid_input without either or if another password comes without the present one, password_same,
 * password_common, account_or_password_wrong, proof_required, email_taken, too_many_requests, or the refusals of a session that has
 * ended
 */
export async function changeOwn(
  deps: SignInDeps,
  { newPassword, email, ...proof }: ProvenCall & { newPassword?: string; email?: string },
): Promise<null | Refusal> {
  if (newPassword === undefined && email === undefined) return malformed({ email: 'required' })
  if (newPassword !== undefined) {
    if (proof.password === undefined) return malformed({ password: 'required' })
    if (isSamePassword(newPassword, proof.password)) return refuse('password_same')
    if (isCommonPassword(newPassword)) return refuse('password_common')
  }
  const wrong = await proveIfGiven(deps, proof)
  if (wrong) return wrong
  const hash =
    newPassword === undefined
      ? null
      : await hashing.staff.hash(newPassword, networkOf(proof.address))
  if (isRefusal(hash)) return hash
  const call = ['staff.change_own', hash, email ?? null, proof.session] as const
  const earlier = await addressOfMember(deps.db, proof.session)
  const changes: OwnChange[] = []
  if (newPassword !== undefined) changes.push('password')
  if (email !== undefined) changes.push('email')
  const refusal = await actAsStaff(deps.db, {
    call,
    done: 'saved',
    afterwards: (tx) => mailOwnChange(tx, { session: proof.session, changes, to: earlier }),
  })
  return refusal?.refused === 'email_taken' ? EMAIL_OF_COLLEAGUE : refusal
}

/**
 * Makes new recovery codes after a proof; the earlier ones become void. The thief of a session alone cannot get a
 * permanent way in.
 *
 * @returns the codes, which are stored nowhere; or account_or_password_wrong, proof_required, too_many_requests, or the
 * refusals of a session that has ended
 */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  proven: ProvenCall,
): Promise<string[] | Refusal> {
  const wrong = await proveIfGiven(deps, proven)
  if (wrong) return wrong
  const codes = newRecoveryCodes()
  const call = ['staff.renew_recovery_codes', codes.map(hashRecoveryCode), proven.session] as const
  const refusal = await actAsStaff(deps.db, {
    call,
    done: 'renewed',
    afterwards: (tx) => mailOwnChange(tx, { session: proven.session, changes: ['recoveryCodes'] }),
  })
  return refusal ?? codes
}

type OwnSession = {
  id: number
  begunAt: number
  seenAt: number
  address: string
  current: boolean
}

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
