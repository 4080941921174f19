/** The six digits that guard withdrawals: set, changed, checked. */
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal.ts'
import { accountById } from './account-store.ts'
import { inTurn } from './in-turn.ts'
import { hashPassword, verifyPassword } from './password.ts'
import {
  addCode,
  codeState,
  countCodeTry,
  forgiveCodeTries,
  noteSensitiveChange,
  replaceCode,
} from './security-store.ts'

/** Tells the player that his account's guards were changed. */
export type NotifyOfChange = (
  tx: Transaction,
  notice: { playerId: number; kind: 'security_code_changed' | 'password_changed' },
) => Promise<void>

/** A player's right codes are looked at one by one, so that none finds the others' tries counted. */
const checks = inTurn<number>()

/**
 * Checks a player's security code. Each try counts before it is looked at, so that many at once are
 * no more tries than five; the fifth wrong one in a row locks the code for 24 hours.
 *
 * @returns the hash that it matches, or security_code_not_set, security_code_wrong (with the tries
 * that are left) or security_code_locked (with the seconds that it lasts)
 */
export function checkSecurityCode(
  db: Queryable,
  { playerId, code }: { playerId: number; code: string },
): Promise<{ codeHash: string } | Refusal> {
  return checks(playerId, async () => {
    const stored = await countCodeTry(db, playerId)
    if (!stored) return notToBeTried(db, playerId)
    const { codeHash, triesLeft } = stored
    if (await verifyPassword(code, codeHash)) {
      await forgiveCodeTries(db, playerId)
      return { codeHash }
    }
    if (triesLeft === 0) return notToBeTried(db, playerId)
    return refuse('security_code_wrong', { tries_left: triesLeft })
  })
}

async function notToBeTried(db: Queryable, playerId: number): Promise<Refusal> {
  const { isSet, lockedForSeconds } = await codeState(db, playerId)
  if (!isSet) return refuse('security_code_not_set')
  return refuse('security_code_locked', { retry_after: Math.max(1, lockedForSeconds) })
}

/**
 * Sets the security code, or changes it for who knows the old one. Withdrawals are held after it.
 *
 * @returns null, or malformed (no old code where there is one), security_code_wrong,
 * security_code_locked or security_code_is_password
 */
export async function setSecurityCode(
  { db, notifyOfChange }: { db: Database; notifyOfChange: NotifyOfChange },
  change: { playerId: number; newCode: string; oldCode: string | undefined },
): Promise<Refusal | null> {
  const { playerId, newCode, oldCode } = change
  const { isSet } = await codeState(db, playerId)
  if (isSet && oldCode === undefined) return malformed({ old_code: 'required' })
  const old = isSet ? await checkSecurityCode(db, { playerId, code: oldCode ?? '' }) : null
  if (isRefusal(old)) return old

  const account = await accountById(db, playerId)
  if (await verifyPassword(newCode, account?.passwordHash ?? null)) {
    return refuse('security_code_is_password')
  }
  const codeHash = await hashPassword(newCode)
  return db.transaction(async (tx) => {
    const done = old
      ? await replaceCode(tx, { playerId, codeHash, oldHash: old.codeHash })
      : await addCode(tx, { playerId, codeHash })
    // Somebody else was first: what was checked above no longer holds.
    if (!done) return malformed({ old_code: 'required' })
    await noteSensitiveChange(tx, playerId)
    await notifyOfChange(tx, { playerId, kind: 'security_code_changed' })
    return null
  })
}
