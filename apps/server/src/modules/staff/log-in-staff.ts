/** Signs staff in, by a password and a code that is valid once: of an authenticator, or for recovery. */
import { createHash, randomBytes } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { type Database, only, type Transaction } from '#src/db/database.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { countBack, countWithin } from '#src/modules/accounts/count-store.ts'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { hashRecoveryCode, useRecoveryCode } from './recovery-codes.ts'
import { startStaffSession } from './staff-session.ts'
import {
  auditFailedSignIn,
  countTry,
  forgetTries,
  type Member,
  memberByName,
  takeTryBack,
  useTotpStep,
} from './staff-store.ts'
import { decryptTotpSecret, totpStepOf } from './totp.ts'

/** How many wrong tries of one name from one network, in how many minutes, until further ones are refused unchecked. */
const TRIES_MAX = 10
const TRIES_MINUTES = 15

/** Wrong tries a minute from one network, over all names together. */
export const NETWORK_MINUTE_MAX = 20

const MINUTE_SECONDS = 60

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
  /** Whether tries of a network are limited. */
  limits: boolean
}

/** The state of a sign-in after the password was checked. */
type Tried = {
  /** The member with that name; `right` says whether the password is his. */
  member: Member | undefined
  right: boolean
  /** The product's time, in milliseconds since 1970. */
  now: number
}

/**
 * Checks name, password and code, and begins a session. Neither the answer nor its time reveals what was wrong. A
 * member who has not enrolled is refused like a stranger.
 *
 * @returns the session's token, or `account_or_password_wrong`, or `too_many_requests` with the seconds
 * to wait
 */
export function logInStaff(
  deps: SignInDeps,
  { totp = '', recoveryCode, ...who }: StaffSignIn,
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  return tryAsMember(deps, who, async (tx, { member, right, now }) => {
    const secret = member ? decryptTotpSecret(deps.cipher, member) : DUMMY_SECRET
    const step = totpStepOf(totp, { secret, at: now })
    const identified = member !== undefined && right && member.enrolled
    const checked = { passwordHash: member?.passwordHash ?? '' }
    const proved =
      recoveryCode === undefined
        ? await useTotpStep(tx, {
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
    const token = await startStaffSession(tx, { staffId: member.id, address: who.address })
    return { token, name: member.name, role: member.role }
  })
}

/**
 * Runs what a member may do after proving his password, in one transaction. Tries are counted for a name and the
 * network that they come from, so that a code cannot be guessed and a stranger elsewhere cannot lock the member out;
 * and for the network over all names, before a password is hashed. Tries that are refused by these limits are not
 * counted.
 *
 * @param work must refuse if the caller is not the member; a refusal is logged as a failed sign-in
 */
export async function tryAsMember<Result>(
  { db, limits }: SignInDeps,
  { account, password, address }: { account: string; password: string; address: string },
  work: (tx: Transaction, tried: Tried) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const name = asciiLowerCase(account.trim())
  const tried = { nameHash: hashOf(name), network: networkOf(address) }
  // Counted before it is checked, so that simultaneous tries cannot exceed the limit.
  const ofNetwork = hashOf(`staff sign-ins from ${tried.network}`)
  if (limits) {
    const limit = { key: ofNetwork, max: NETWORK_MINUTE_MAX, seconds: MINUTE_SECONDS }
    const wait = await countWithin(db, limit)
    if (wait > 0) return refuse('too_many_requests', { retry_after: wait })
  }
  const countNetworkBack = async () => {
    if (limits) await countBack(db, [ofNetwork])
  }
  const tries = await countTry(db, { ...tried, minutes: TRIES_MINUTES })
  if (tries > TRIES_MAX) {
    await countNetworkBack()
    return refuse('account_or_password_wrong')
  }

  const member = await memberByName(db, name)
  const { now } = only(await db.query<{ now: number }>('select app.now() as now'))
  const right = await hashing.staff.verify(password, member?.passwordHash ?? null)
  if (isRefusal(right)) {
    await countNetworkBack()
    await takeTryBack(db, tried)
    return right
  }
  const act = async (tx: Transaction) => {
    const result = await work(tx, { member, right, now })
    if (isRefusal(result)) await auditFailedSignIn(tx, { name, address })
    else await forgetTries(tx, tried)
    return result
  }
  // The audit log records a failed try.
  const result = await db.transaction(act, { keepRefusals: true })
  if (!isRefusal(result)) await countNetworkBack()
  return result
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
