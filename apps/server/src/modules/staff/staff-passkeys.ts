/**
 * Passkeys of members of staff: each takes the place of password and code. The ceremonies are those of players
 * (`accounts/passkeys.ts`); page and RP id are the console's.
 */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { networkOf } from '#src/formats/network-of.ts'
import {
  type ChallengeDeps,
  creationOptions,
  descriptor,
  type MadePasskey,
  madeCredential,
  makeChallenge,
  PASSKEY_COLUMNS,
  PASSKEYS_MAX,
  type PasskeyAnswer,
  purposeIn,
  type RelyingParty,
  type StoredPasskey,
  signedCount,
  storedPasskey,
} from '#src/modules/accounts/passkeys.ts'
import {
  isRefusal,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import { actAsStaff, asStaff } from './audit.ts'
import { type SignInDeps, tryAsMember } from './log-in-staff.ts'
import { mailOwnChange } from './mail-own-change.ts'
import { startStaffSession } from './staff-session.ts'
import { auditFailedSignIn, type Member } from './staff-store.ts'

export type StaffPasskeyDeps = SignInDeps & ChallengeDeps

/** What challenges to sign in are made for. */
const SIGN_IN = 'sign in as staff'
const purposeOfEnrolment = (name: string) => `enrol ${name}`

type Acting = { staffId: number; token: string; tokenHash: Buffer }

export function signInChallenge(deps: StaffPasskeyDeps, party: RelyingParty) {
  return makeChallenge(deps, { purpose: SIGN_IN, party })
}

/**
 * Signs a member in with a passkey.
 *
 * @returns the session's token, or a refusal of `usePasskey`
 */
export async function logInStaffByPasskey(
  deps: StaffPasskeyDeps,
  tried: { answer: PasskeyAnswer; party: RelyingParty; address: string },
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  return usePasskey(deps, { ...tried, purpose: SIGN_IN, staffId: null }, async (tx, passkey) => {
    const { staffId, member: name, role } = passkey
    const token = await startStaffSession(tx, { staffId, address: tried.address })
    return { token, name, role }
  })
}

/**
 * Checks the answer of a passkey and does what it permits, in one transaction. Tries are counted by the member's name and
 * by the network, as those of passwords.
 *
 * @param tried `staffId`: whose passkey it must be, null for anybody's, who must then be named by the authenticator
 * @returns the result of the work, or passkey_unknown, passkey_refused, passkey_cloned, or too_many_requests with the
 *   seconds to wait
 */
async function usePasskey<Result>(
  deps: StaffPasskeyDeps,
  tried: {
    answer: PasskeyAnswer
    purpose: string
    party: RelyingParty
    staffId: number | null
    address: string
  },
  work: (tx: Transaction, passkey: StaffPasskey) => Promise<Result>,
): Promise<Result | Refusal> {
  const { db, guard } = deps
  const { answer, staffId, address } = tried
  const found = await db.first<StaffPasskey>(`${PASSKEY} where credential_id = $1`, [
    Buffer.from(answer.credential_id, 'base64url'),
  ])
  const passkey = staffId === null || found?.staffId === staffId ? found : undefined
  const counted = await guard.count({
    name: passkey?.member ?? `passkey ${answer.credential_id}`,
    staffId: passkey?.staffId ?? null,
    network: networkOf(address),
  })
  if (isRefusal(counted)) return counted
  if (!passkey) return counted.ifWrong ?? refuse('passkey_unknown')
  const failed = { name: passkey.member, address }
  const signed = await signedCount(deps, { ...tried, passkey, named: staffId === null })
  if (signed === null) {
    await db.transaction((tx) => auditFailedSignIn(tx, failed))
    return counted.ifWrong ?? refuse('passkey_refused')
  }
  // What closes a copied passkey is kept.
  const done = await db.transaction<Result | Refusal>(
    async (tx) => {
      const use = await callFunction<Answer<'used'>>(
        tx,
        'staff.use_passkey',
        passkey.id,
        signed.count,
        new Date(signed.challengedAt),
        address,
      )
      if (use === 'passkey_refused') await auditFailedSignIn(tx, failed)
      return use === 'used' ? work(tx, passkey) : refuseByWord(use)
    },
    { keepRefusals: true },
  )
  if (!isRefusal(done)) await guard.right(counted)
  return done
}

/** What a function of the database answers: this, or the word of a refusal. */
type Answer<Done extends string> = Done | RefusalWord

/** A challenge by which a member can prove with a passkey that it is him. */
export async function staffProofOptions(
  deps: StaffPasskeyDeps,
  { staffId, tokenHash, party }: Acting & { party: RelyingParty },
) {
  return {
    ...(await makeChallenge(deps, { purpose: purposeIn(tokenHash, 'prove'), party })),
    passkeys: (await passkeysOfStaff(deps.db, staffId)).map(descriptor),
  }
}

/**
 * Proves by a passkey that it is the member.
 *
 * @returns null, or a refusal of `usePasskey` or of a session that has ended
 */
export function proveByStaffPasskey(
  deps: StaffPasskeyDeps,
  caller: Acting & { answer: PasskeyAnswer; party: RelyingParty; address: string },
): Promise<null | Refusal> {
  return usePasskey(
    deps,
    { ...caller, purpose: purposeIn(caller.tokenHash, 'prove') },
    async () => null,
  )
}

/** Notes in the session that its member has proved that it is him; for five minutes. */
export function noteProof(deps: StaffPasskeyDeps, token: string): Promise<null | Refusal> {
  return asStaff(deps.db, async (tx) => {
    await callFunction(tx, 'staff.note_confirmation', token)
    return null
  })
}

/**
 * What a browser needs to make another passkey of a member.
 *
 * @returns the options, or proof_required, or a refusal of a session that has ended
 */
export async function staffPasskeyOptions(
  deps: StaffPasskeyDeps,
  { staffId, name, token, tokenHash, party }: Acting & { name: string; party: RelyingParty },
) {
  const unproved = await asStaff(deps.db, async (tx) => {
    await callFunction(tx, 'staff.require_confirmation', token, 5)
    return null
  })
  if (isRefusal(unproved)) return unproved
  const others = await passkeysOfStaff(deps.db, staffId)
  const purpose = purposeIn(tokenHash, 'add passkey')
  return creationOptions(deps, { account: staffId, name, others, party, purpose })
}

/** What a browser needs to make the passkey of a member who enrols. */
export async function enrolmentOptions(
  deps: StaffPasskeyDeps,
  { id: account, name }: Pick<Member, 'id' | 'name'>,
  party: RelyingParty,
) {
  const others = await passkeysOfStaff(deps.db, account)
  const purpose = purposeOfEnrolment(name)
  return creationOptions(deps, { account, name, others, party, purpose })
}

/**
 * Adds a passkey that a browser has made with the options of this session.
 *
 * @returns null, or passkey_refused, passkeys_full, or a refusal of a session that has ended
 */
export async function addStaffPasskey(
  deps: StaffPasskeyDeps,
  made: MadePasskey & Acting & { party: RelyingParty },
): Promise<null | Refusal> {
  const credential = await madeCredential(deps, {
    ...made,
    purpose: purposeIn(made.tokenHash, 'add passkey'),
  })
  if (!credential) return refuse('passkey_refused')
  const others = await passkeysOfStaff(deps.db, made.staffId)
  const stored = storedPasskey(deps, made, { ...credential, account: made.staffId, others })
  return actAsStaff(deps.db, {
    call: ['staff.add_passkey', ...stored, PASSKEYS_MAX, made.token],
    done: 'added',
    afterwards: (tx) => mailOwnChange(tx, { session: made.token, changes: ['passkeyAdded'] }),
  })
}

/**
 * Enrols a member with a passkey, which takes the place of password and code, and signs him in.
 *
 * @returns the session's token; or passkey_refused, account_or_password_wrong, too_many_requests
 */
export async function enrolByPasskey(
  deps: StaffPasskeyDeps,
  made: MadePasskey & { account: string; password: string; address: string; party: RelyingParty },
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  const purpose = purposeOfEnrolment(asciiLowerCase(made.account.trim()))
  const credential = await madeCredential(deps, { ...made, purpose })
  return tryAsMember(deps, made, async (tx, { member, right }) => {
    if (!member || !right || member.enrolled) return refuse('account_or_password_wrong')
    if (!credential) return refuse('passkey_refused')
    const { id: staffId, passwordHash, name, role } = member
    const stored = storedPasskey(deps, made, { ...credential, account: staffId, others: [] })
    const checked = [staffId, passwordHash]
    const enrol = 'staff.enrol_by_passkey'
    const enrolled = await callFunction<boolean>(tx, enrol, ...checked, ...stored, made.address)
    if (!enrolled) return refuse('passkey_refused')
    const token = await startStaffSession(tx, { staffId, address: made.address })
    return { token, name, role }
  })
}

/**
 * Removes a passkey of the member's own.
 *
 * @returns null, or proof_required, passkey_unknown, passkey_needed (without it he could not sign in), or a refusal of a
 *   session that has ended
 */
export function removeStaffPasskey(
  deps: StaffPasskeyDeps,
  { id, token }: { id: number; token: string },
): Promise<null | Refusal> {
  return actAsStaff(deps.db, {
    call: ['staff.remove_passkey', id, token],
    done: 'removed',
    afterwards: (tx) => mailOwnChange(tx, { session: token, changes: ['passkeyRemoved'] }),
  })
}

/**
 * Requires a passkey at the sign-in of a role, or after a proof no longer. Sessions go on; a member without one is
 * invited again.
 *
 * @returns null, or passkey_needed (an owner without one requires it of owners), proof_required, or a refusal of a
 *   session that has ended
 */
export function requirePasskey(
  deps: StaffPasskeyDeps,
  { role, required, token }: { role: string; required: boolean; token: string },
): Promise<null | Refusal> {
  return actAsStaff(deps.db, {
    call: ['staff.require_passkey', role, required, token],
    done: 'set',
  })
}

type StaffPasskey = StoredPasskey & { staffId: number; member: string; role: Member['role'] }

const PASSKEY = `select ${PASSKEY_COLUMNS}, staff_id as "staffId", member.name as member, role
  from staff.passkey join staff.member on member.id = staff_id`

/** Whether it is a passkey of a member. @param credentialId in base64url */
export function isStaffPasskey(db: Queryable, credentialId: string): Promise<boolean> {
  return db.exists('select from staff.passkey where credential_id = $1', [
    Buffer.from(credentialId, 'base64url'),
  ])
}

export function passkeysOfStaff(db: Queryable, staffId: number): Promise<StaffPasskey[]> {
  return db.query<StaffPasskey>(`${PASSKEY} where staff_id = $1 order by passkey.id`, [staffId])
}

export function rolesWithPasskey(db: Queryable): Promise<Member['role'][]> {
  return db.column<Member['role']>('select role from staff.passkey_role order by role')
}
