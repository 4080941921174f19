/** Signing staff in, by a password and a code that is good once. */
import { createHash, randomBytes } from 'node:crypto'
import { type Database, only } from '#src/db/database.ts'
import { verifyPassword } from '#src/modules/accounts/password.ts'
import { networkOf } from '#src/network-of.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import type { Sealer } from '#src/sealer.ts'
import { startStaffSession } from './staff-session.ts'
import {
  auditFailedSignIn,
  countTry,
  forgetTries,
  type Member,
  memberByName,
  useTotpStep,
} from './staff-store.ts'
import { totpStepOf } from './totp.ts'
import { openTotpSecret } from './totp-secret.ts'

/** Wrong tries of one name from one network, in how many minutes, after which none is looked at. */
const TRIES_MAX = 10
const TRIES_MINUTES = 15

/** In place of a secret where there is no member, for the same work. */
const NOBODYS_SECRET = randomBytes(20)

type StaffSignIn = { account: string; password: string; totp: string; address: string }

/**
 * Checks name, password and code, and begins a session. What was wrong is not told, neither by the
 * answer nor by its time. Tries are counted for a name and the network it is tried from, so that a
 * code cannot be guessed and a stranger elsewhere cannot lock the member out.
 *
 * @returns the session's token, or `account_or_password_wrong`
 */
export async function logInStaff(
  { db, sealer }: { db: Database; sealer: Sealer },
  { account, password, totp, address }: StaffSignIn,
): Promise<{ token: string; name: string; role: Member['role'] } | Refusal> {
  const name = account.trim().toLowerCase()
  const tried = { nameHash: hashOf(name), network: networkOf(address) }
  // Counted before it is looked at: of a hundred at once only ten are tried.
  const tries = await countTry(db, { ...tried, minutes: TRIES_MINUTES })
  if (tries > TRIES_MAX) return refuse('account_or_password_wrong')

  const member = await memberByName(db, name)
  const { now } = only(await db.query<{ now: number }>('select app.now() as now'))
  const right = await verifyPassword(password, member?.passwordHash ?? null)
  const secret = member ? openTotpSecret(sealer, member) : NOBODYS_SECRET
  const step = totpStepOf(totp, { secret, at: now })

  return db.transaction(async (tx) => {
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
  })
}

function hashOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}
