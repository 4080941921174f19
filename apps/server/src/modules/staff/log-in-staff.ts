/** Signing staff in, by a password and a code that is good once. */
import { createHash, randomBytes } from 'node:crypto'
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { type Database, only, type Transaction } from '#src/db/database.ts'
import { countBack, countWithin } from '#src/modules/accounts/count-store.ts'
import { hashing } from '#src/modules/accounts/hashing.ts'
import { networkOf } from '#src/network-of.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'
import type { Sealer } from '#src/sealer.ts'
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
import { totpStepOf } from './totp.ts'
import { openTotpSecret } from './totp-secret.ts'

/** Wrong tries of one name from one network, in how many minutes, after which none is looked at. */
const TRIES_MAX = 10
const TRIES_MINUTES = 15

/** Wrong tries a minute from one network, over all names together. */
export const NETWORK_MINUTE_MAX = 20

const MINUTE_SECONDS = 60

/** In place of a secret where there is no member, for the same work. */
const NOBODYS_SECRET = randomBytes(20)

type StaffSignIn = { account: string; password: string; totp: string; address: string }

/**
 * Checks name, password and code, and begins a session. What was wrong is not told, neither by the
 * answer nor by its time. Tries are counted for a name and the network it is tried from, so that a
 * code cannot be guessed and a stranger elsewhere cannot lock the member out; and for the network over
 * all names, before a password is hashed. What is refused so counts for nothing.
 *
 * @param deps `limits`: whether tries of a network are counted
 * @returns the session's token, or `account_or_password_wrong`, or `too_many_requests` with the seconds
 * to wait
 */
export async function logInStaff(
  { db, sealer, limits }: { db: Database; sealer: Sealer; limits: boolean },
  { account, password, totp, address }: StaffSignIn,
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  const name = asciiLowerCase(account.trim())
  const tried = { nameHash: hashOf(name), network: networkOf(address) }
  // Counted before it is looked at: of a hundred at once only so many are tried.
  const ofNetwork = limits ? [hashOf(`staff sign-ins from ${tried.network}`)] : []
  for (const key of ofNetwork) {
    const wait = await countWithin(db, { key, max: NETWORK_MINUTE_MAX, seconds: MINUTE_SECONDS })
    if (wait > 0) return refuse('too_many_requests', { retry_after: wait })
  }
  const tries = await countTry(db, { ...tried, minutes: TRIES_MINUTES })
  if (tries > TRIES_MAX) {
    await countBack(db, ofNetwork)
    return refuse('account_or_password_wrong')
  }

  const member = await memberByName(db, name)
  const { now } = only(await db.query<{ now: number }>('select app.now() as now'))
  const right = await hashing.staff.verify(password, member?.passwordHash ?? null)
  if (isRefusal(right)) {
    await countBack(db, ofNetwork)
    await takeTryBack(db, tried)
    return right
  }
  const secret = member ? openTotpSecret(sealer, member) : NOBODYS_SECRET
  const step = totpStepOf(totp, { secret, at: now })

  const signIn = async (tx: Transaction) => {
    const all = member !== undefined && right && step !== null
    const taken = await useTotpStep(tx, {
      id: all ? member.id : null,
      step: step ?? 0,
      passwordHash: member?.passwordHash ?? '',
    })
    if (!all || !taken) {
      await auditFailedSignIn(tx, { name, address })
      return refuse('account_or_password_wrong')
    }
    await forgetTries(tx, tried)
    const token = await startStaffSession(tx, { staffId: member.id, address })
    return { token, name: member.name, role: member.role }
  }
  // A try that failed stands in the audit log.
  const signedIn = await db.transaction(signIn, { keepRefusals: true })
  if (!isRefusal(signedIn)) await countBack(db, ofNetwork)
  return signedIn
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
