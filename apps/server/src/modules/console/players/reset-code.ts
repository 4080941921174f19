/**
 * A lost security code: one person proposes to delete it, another confirms. docs/decisions/0056 says what stops a
 * thief who asks support for it.
 */
import type { Database } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal.ts'
import * as store from './reset-store.ts'

/**
 * Proposes to delete a player's security code. The player is notified by mail and in the app.
 *
 * @returns null, or not_found, account_closed, security_code_not_set, already_proposed
 */
export async function proposeCodeReset(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.proposeCodeReset(tx, { playerId, reason, session })
    if (word !== 'proposed') return refuseByWord(word, { field: 'user_id' })
    await appendAudit(tx, {
      ...{ session, action: 'code_reset_proposed', subject: `player:${playerId}` },
      details: { reason },
    })
    await notify(tx, { playerId, kind: 'code_reset_proposed' })
    return null
  })
}

/**
 * Deletes the code as another person has proposed. The player is signed out on all devices, his withdrawals are held,
 * and he sets a new code like a first one.
 *
 * @returns null, or not_found, already_decided, second_person_needed, account_closed, or security_code_known if the
 * code was used or changed since the proposal
 */
export async function confirmCodeReset(
  db: Database,
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.confirmCodeReset(tx, { id, session })
    if (word !== 'confirmed') return refuseByWord(word)
    const { playerId, reason } = await resetOf(tx, id)
    await appendAudit(tx, {
      ...{ session, action: 'code_reset_confirmed', subject: `player:${playerId}` },
      details: { reset: id, reason },
    })
    await notify(tx, { playerId, kind: 'code_reset' })
    return null
  })
}

/**
 * Ends a proposal: the code stays as it is.
 *
 * @returns null, or not_found, already_decided
 */
export async function endCodeReset(
  db: Database,
  { id, reason, session }: { id: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.endCodeReset(tx, { id, reason, session })
    if (word !== 'ended') return refuseByWord(word)
    const { playerId } = await resetOf(tx, id)
    await appendAudit(tx, {
      ...{ session, action: 'code_reset_ended', subject: `player:${playerId}` },
      details: { reset: id, reason },
    })
    return null
  })
}

async function resetOf(db: Parameters<typeof store.codeResetOf>[0], id: number) {
  const reset = await store.codeResetOf(db, id)
  if (!reset) throw new Error(`the reset ${id} that was decided is gone`)
  return reset
}

/**
 * Signs a player out on all devices, and lets him sign in only after he has set a new password with a mailed code. He
 * is notified by mail. Meanwhile his present password gives no access.
 *
 * @returns null, or not_found, account_closed, or email_missing if no code can be mailed to him
 */
export async function requirePassword(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await store.requirePassword(tx, { playerId, session })
    if (word !== 'required') return refuseByWord(word, { field: 'user_id' })
    await appendAudit(tx, {
      ...{ session, action: 'password_required', subject: `player:${playerId}` },
      details: { reason },
    })
    await notify(tx, { playerId, kind: 'password_required' })
    return null
  })
}
