/**
 * A lost security code, or a second factor that is lost with its recovery codes: one person proposes to delete it,
 * another confirms. docs/decisions/0056 says what stops a thief who asks support for it.
 */
import { callFunction, type Database } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, type KindRules, propose } from '#src/modules/staff/proposal.ts'
import { isRefusal, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'

/**
 * The deletion of what a player has lost. He is notified of the proposal and of the deletion; then he is signed out on
 * all devices, and his withdrawals are held.
 */
export function resetOf(kind: 'code_reset' | 'factor_reset' | 'address_reset'): KindRules {
  return {
    changesOf: () => [],

    auditOf: ({ id, subject, state, reason, endReason }) => ({
      action: `${kind}_${endReason === null ? state : 'ended'}`,
      subject,
      details:
        state === 'proposed' ? { reason } : { reset: Number(id), reason: endReason ?? reason },
    }),

    async notify(tx, { playerId, state }) {
      if (playerId === null || (state !== 'proposed' && state !== 'confirmed')) return
      await notify(tx, { playerId, kind: state === 'proposed' ? `${kind}_proposed` : kind })
    },
  }
}

/** Then he sets a new code like a first one, or his password signs in and he can switch the factor on again. */
export const RESETS = {
  code_reset: resetOf('code_reset'),
  factor_reset: resetOf('factor_reset'),
}

/**
 * Proposes to delete a player's security code, or his second factor.
 *
 * @returns null, or not_found, account_closed, already_proposed, and security_code_not_set or second_factor_off
 */
export function proposeReset(
  db: Database,
  of: Actor & { kind: keyof typeof RESETS; playerId: number; reason: string },
): Promise<null | Refusal> {
  const { playerId, ...draft } = of
  return asStaff(db, async (tx) => {
    const subject = `player:${playerId}`
    const made = await propose(tx, RESETS[of.kind], { ...draft, subject, content: {} })
    return isRefusal(made) ? made : null
  })
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
    const word = await callFunction<'required' | 'not_found' | 'account_closed' | 'email_missing'>(
      tx,
      'console_players.require_password',
      playerId,
      session,
    )
    if (word !== 'required') return refuseByWord(word, { field: 'user_id' })
    await appendAudit(tx, {
      session,
      action: 'password_required',
      subject: `player:${playerId}`,
      details: { reason },
    })
    await notify(tx, { playerId, kind: 'password_required' })
    return null
  })
}
