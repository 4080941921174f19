/** Actions of staff on a player, each with its row in the audit log. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import {
  type AuditDetails,
  type AuditEntry,
  actAsStaff,
  appendAudit,
  asStaff,
} from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  malformed,
  type Refusal,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import { likenessOf } from './likeness-store.ts'
import type { ContactRow } from './signs-store.ts'

type OnPlayer = { playerId: number; session: string }

/**
 * Writes a note about a player; players never see notes.
 *
 * @returns null, or not_found
 */
export function addNote(
  db: Database,
  { playerId, session, text }: OnPlayer & { text: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['console_players.add_note', playerId, text, session],
    done: 'set',
    field: 'user_id',
    entry: entryOf({ playerId, session }, 'player_noted', { text }),
  })
}

/**
 * Records why the remaining balance of a closed account stays booked: as a note on the player, and in the audit log.
 *
 * @returns null, or not_found or not_closed
 */
export function keepRest(
  db: Database,
  { playerId, session, reason }: OnPlayer & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const rest = await tx.first<{ state: string; cash: Amount }>(
      `select state, cash from accounts.player join ledger.balance on holder_id = player.id
       where player.id = $1 and accounts.is_person(player)`,
      [playerId],
    )
    if (!rest) return refuseByWord('not_found', { field: 'user_id' })
    if (rest.state !== 'closed') return refuseByWord('not_closed')
    const amount = formatAmount(rest.cash)
    const note = `${amount} u stay booked: ${reason}`
    await callFunction(tx, 'console_players.add_note', playerId, note, session)
    await appendAudit(tx, entryOf({ playerId, session }, 'rest_kept', { amount, reason }))
    return null
  })
}

/**
 * Signs a player out on all devices, and ends his remembered devices. He may sign in again.
 *
 * @returns null, or not_found
 */
export function endSessions(
  db: Database,
  { playerId, session, reason }: OnPlayer & { reason: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['console_players.end_sessions', playerId, session],
    done: 'closed',
    field: 'user_id',
    entry: entryOf({ playerId, session }, 'player_sessions_ended', { reason }),
  })
}

/**
 * Puts a message into a player's inbox and mails it to him, as the member of staff wrote it.
 *
 * @param message `purpose`: what it is for; without one it may advertise
 * @returns null, or not_found, or excluded (during a break or a review each message needs a purpose)
 */
export function sendMessage(
  db: Database,
  message: OnPlayer & { text: string; purpose?: 'answer' | 'account' | undefined },
): Promise<null | Refusal> {
  const { playerId, text, purpose } = message
  return asStaff(db, async (tx) => {
    const player = await tx.first<{ noAdvertising: boolean }>(
      `select protection.hears_no_advertising(id) as "noAdvertising" from accounts.player
       where id = $1 and accounts.is_person(player)`,
      [playerId],
    )
    if (!player) return refuseByWord('not_found', { field: 'user_id' })
    if (player.noAdvertising && !purpose) {
      return { ...refuse('excluded'), wording: 'message_excluded' }
    }
    await notify(tx, { playerId, kind: 'staff_message', facts: { text } })
    await appendAudit(tx, entryOf(message, 'player_told', { text, ...(purpose && { purpose }) }))
    return null
  })
}

function entryOf(
  { playerId, session }: OnPlayer,
  action: string,
  details: AuditDetails,
): AuditEntry {
  return { session, action, subject: `player:${playerId}`, details }
}

/** How many days later a contact may still be recorded. */
const DAYS_BACK = 30

/**
 * Records a contact with a player about his play, by default today. Players never see it, and it cannot be changed.
 *
 * @returns null, or not_found, or malformed input if the day is in the future or too long ago
 */
export async function addContact(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  contact: OnPlayer & { channel: ContactRow['channel']; text: string; day?: string | undefined },
): Promise<null | Refusal> {
  const today = dayOf(timeZone, now())
  const { playerId, session, channel, text, day = today } = contact
  if (day > today || day < addDays(today, -DAYS_BACK)) return malformed({ day: 'invalid' })
  return actAsStaff(db, {
    call: ['console_players.add_contact', playerId, day, channel, text, session],
    done: 'set',
    field: 'user_id',
    entry: entryOf({ playerId, session }, 'player_contacted', { day, channel, text }),
  })
}

/**
 * Decides on an account that resembles an excluded one: it is released, or the exclusion applies to it too. The
 * player learns nothing about the other account.
 *
 * @param decision `again`: it may be decided otherwise than before; what stood only by that decision ends
 * @returns null, or not_found, already_decided, or not_excluded (the other exclusion is over)
 */
export async function decideLikeness(
  db: Database,
  decision: { id: number; confirms: boolean; reason: string; session: string; again: boolean },
): Promise<null | Refusal> {
  const { id, reason, session, again } = decision
  return asStaff(db, async (tx) => {
    const before = await likenessOf(tx, id)
    const word = await callFunction<
      'released' | 'confirmed' | 'not_found' | 'decided' | 'not_excluded'
    >(...[tx, 'protection.decide_likeness', id, decision.confirms, reason, session, again])
    const likeness = await likenessOf(tx, id)
    if (word === 'decided')
      return decidedBefore({ by: likeness?.decidedBy, at: likeness?.decidedAt })
    if (word !== 'released' && word !== 'confirmed') return refuseByWord(word)
    if (!likeness) throw new Error(`the likeness ${id} that was decided is gone`)
    await appendAudit(tx, {
      session,
      action: `likeness_${word}`,
      subject: `player:${likeness.playerId}`,
      details: {
        like_player: likeness.likeUserId,
        like_in: likeness.likeIn,
        reason,
        ...(before?.decidedBy && {
          before: { decided_by: before.decidedBy, reason: before.reason },
          after: { decided_by: likeness.decidedBy, reason },
        }),
      },
    })
    return null
  })
}
