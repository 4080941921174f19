import type { Database } from '#src/db/database.ts'
import type { Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal.ts'
import { asStaff } from './as-staff.ts'
import { appendAudit } from './audit.ts'
import { freezePlayer, unfreezePlayer } from './freeze-store.ts'

/**
 * Freezes a player's account. From now on he is signed out everywhere and cannot sign in (account_locked); no bet and
 * no withdrawal of his is accepted, including those in progress. Accepted bets are settled, and deposits are
 * credited: his money stays where it is. He is not notified by mail, because a freeze may be part of an
 * investigation.
 *
 * @returns null, or not_found, already_decided
 */
export async function freezeAccount(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await freezePlayer(tx, { playerId, reason, session })
    if (word === 'not_found') return refuseByWord(word, { field: 'user_id' })
    if (word !== 'frozen') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'account_frozen',
      subject: `player:${playerId}`,
      details: { reason },
    })
    return null
  })
}

/**
 * Lifts the freeze of an account. The player must sign in again: sessions that the freeze ended stay ended.
 *
 * @returns null, or not_found, not_frozen
 */
export async function unfreezeAccount(
  db: Database,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await unfreezePlayer(tx, { playerId, reason, session })
    if (word === 'not_found') return refuseByWord(word, { field: 'user_id' })
    if (word === 'not_frozen') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'account_unfrozen',
      subject: `player:${playerId}`,
      details: { reason },
    })
    return null
  })
}
