/** Requests what is left in a closed account as a withdrawal. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import { callFunction, type Database } from '#src/db/database.ts'
import type { NoteMark } from '#src/modules/accounts/note-mark.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, type Refusal, refuseByWord } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import {
  lockPayMethods,
  type PayMethodKind,
  payeeText,
  payMethodById,
  savePayMethodIn,
} from './pay-methods.ts'
import { requestRestOf } from './withdrawal-store.ts'

/**
 * The closed accounts in which a hundredth of a u or more is left that came back unpaid, and since when. Not those of which
 * staff have noted since that it stays booked.
 */
export const RETURNED_RESTS = `select id, at from (
    select player.id, max(coalesce(reversed_at, decided_at)) as at from withdrawals.withdrawal
    join accounts.player on player.id = player_id and player.state = 'closed' and anonymised_at is null
    join ledger.balance on holder_id = player.id and cash > 9999
    where stage in ('rejected', 'reversed') and coalesce(reversed_at, decided_at) >= closed_at
    group by player.id) returned
  where not exists (select from staff.audit
    where subject = 'player:' || returned.id and action = 'rest_kept' and audit.at >= returned.at)`

/** A payee that the player has named to staff. */
export type NewPayee = { kind: PayMethodKind; number: string; label: string; bankName: string }

type RestRequest = {
  playerId: number
  /** One of his present pay methods by its id, or a new one. */
  payTo: number | NewPayee
  /** Why staff request it, and how they know that the payee is the player's: for the log and who approves it. */
  reason: string
  session: string
}

/**
 * Requests the rest of a closed account, down to a hundredth of a unit, and notifies the player. It is approved like
 * any other withdrawal, but never by the person who requested it.
 *
 * @returns the withdrawal; or not_found, not_closed, pay_method_missing, withdrawal_pending, insufficient_balance,
 * malformed (an invalid number) or too_many_numbers
 */
export function requestRest(
  deps: {
    db: Database
    cipher: SecretCipher
    noteMark: NoteMark
    usdtContract: string
    timeZone: string
    now: () => number
  },
  { playerId, payTo, reason, session }: RestRequest,
): Promise<{ id: bigint; amount: Amount } | Refusal> {
  const onDay = dayOf(deps.timeZone, deps.now())
  return asStaff(deps.db, async (tx) => {
    // Before the balance, in the order of locks.
    if (typeof payTo !== 'number') await lockPayMethods(tx, playerId)
    const lock = 'withdrawals.lock_closed'
    const why = await callFunction<'not_found' | 'not_closed' | null>(tx, lock, playerId)
    if (why) return refuseByWord(why)
    const method =
      typeof payTo === 'number'
        ? await payMethodById(tx, payTo)
        : await savePayMethodIn(tx, deps, {
            playerId,
            branchCode: '',
            branchName: '',
            note: '',
            ...payTo,
          })
    if (isRefusal(method)) return inWordsOfStaff(method)
    const made = await requestRestOf(tx, { playerId, payMethodId: method?.id ?? 0, onDay, session })
    if (made.answer !== 'requested' || !method) {
      const word = made.answer
      return refuseByWord(word === 'requested' ? 'pay_method_missing' : word)
    }
    const { id, amount } = made
    const quantity = formatAmount(amount)
    const facts = { amount: quantity, payee: payeeText(method) }
    await notify(tx, { playerId, kind: 'rest_requested', facts })
    await appendAudit(tx, {
      session,
      action: 'rest_requested',
      subject: `withdrawal:${id}`,
      details: { player_id: playerId, amount: quantity, pay_id: method.id, reason },
    })
    return { id, amount }
  })
}

/** Faults of a number by the fields of the staff's call. */
const FIELDS: Record<string, string> = { acc: 'number', acc_name: 'number', acc_bank: 'bank_name' }

function inWordsOfStaff(refusal: Refusal): Refusal {
  const { faults } = refusal
  if (!faults) return refusal
  return malformed(
    Object.fromEntries(
      Object.entries(faults).map(([name, fault]) => [FIELDS[name] ?? name, fault]),
    ),
  )
}
