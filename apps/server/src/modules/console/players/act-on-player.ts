/** Actions of staff on a player, each with its row in the audit log. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { decidedBefore, malformed, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import * as store from './likeness-store.ts'
import { type Contact, insertContact } from './signs-store.ts'

/** The player, and the token of the acting session. */
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
  return acted(db, { playerId, session, action: 'player_noted', details: { text } }, (tx) =>
    callFunction(tx, 'console_players.add_note', playerId, text, session),
  )
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
    const [rest] = await tx.query<{ state: string; cash: Amount }>(
      `select state, cash from accounts.player join ledger.balance on holder_id = player.id
       where player.id = $1 and accounts.is_person(player)`,
      [playerId],
    )
    if (!rest) return refuseByWord('not_found', { field: 'user_id' })
    if (rest.state !== 'closed') return refuseByWord('not_closed')
    const amount = formatAmount(rest.cash)
    const note = `${amount} u stay booked: ${reason}`
    await callFunction(tx, 'console_players.add_note', playerId, note, session)
    await appendAudit(tx, {
      ...{ session, action: 'rest_kept', subject: `player:${playerId}` },
      details: { amount, reason },
    })
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
  const entry = { playerId, session, action: 'player_sessions_ended', details: { reason } }
  return acted(db, entry, (tx) =>
    callFunction(tx, 'console_players.end_sessions', playerId, session),
  )
}

/**
 * Puts a message into a player's inbox and mails it to him, as the member of staff wrote it.
 *
 * @returns null, or not_found
 */
export function sendMessage(
  db: Database,
  { playerId, session, text }: OnPlayer & { text: string },
): Promise<null | Refusal> {
  const entry = { playerId, session, action: 'player_told', details: { text } }
  return acted(db, entry, async (tx) => {
    const people = await tx.query(
      `select from accounts.player where id = $1 and accounts.is_person(player)`,
      [playerId],
    )
    if (people.length === 0) return 'not_found'
    await notify(tx, { playerId, kind: 'staff_message', facts: { text } })
    return 'done'
  })
}

type Entry = OnPlayer & { action: string; details: Record<string, string> }

/** Acts and writes the audit log in one transaction; if there is no such player, does neither. */
function acted(
  db: Database,
  { playerId, session, action, details }: Entry,
  work: (tx: Transaction) => Promise<string>,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    if ((await work(tx)) === 'not_found') return refuseByWord('not_found', { field: 'user_id' })
    await appendAudit(tx, { session, action, subject: `player:${playerId}`, details })
    return null
  })
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
  { day, ...contact }: Omit<Contact, 'day'> & { day?: string | undefined },
): Promise<null | Refusal> {
  const today = dayOf(timeZone, now())
  const on = day ?? today
  if (on > today || on < addDays(today, -DAYS_BACK)) return malformed({ day: 'invalid' })
  return asStaff(db, async (tx) => {
    const { playerId, session, channel, text } = contact
    const word = await insertContact(tx, { ...contact, day: on })
    if (word === 'not_found') return refuseByWord('not_found', { field: 'user_id' })
    await appendAudit(tx, {
      ...{ session, action: 'player_contacted', subject: `player:${playerId}` },
      details: { day: on, channel, text },
    })
    return null
  })
}

/**
 * Decides on an account that resembles an excluded one: it is released, or the exclusion applies to it too. The
 * player learns nothing about the other account.
 *
 * @returns null, or not_found, already_decided, or not_excluded (the other exclusion is over)
 */
export async function decideLikeness(
  db: Database,
  decision: { id: number; confirms: boolean; reason: string; session: string },
): Promise<null | Refusal> {
  const { id, reason, session } = decision
  return asStaff(db, async (tx) => {
    const word = await store.decideLikeness(tx, decision)
    const likeness = await store.likenessOf(tx, id)
    if (word === 'decided')
      return decidedBefore({ by: likeness?.decidedBy, at: likeness?.decidedAt })
    if (word !== 'released' && word !== 'confirmed') return refuseByWord(word)
    if (!likeness) throw new Error(`the likeness ${id} that was decided is gone`)
    await appendAudit(tx, {
      session,
      action: `likeness_${word}`,
      subject: `player:${likeness.playerId}`,
      details: { like_player: likeness.likeUserId, like_in: likeness.likeIn, reason },
    })
    return null
  })
}
