/** Present and past held deposits: the list for staff, and paying them back. */
import type * as wire from '@sum28/contract/staff-money-routes.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import type { RefusalWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

type HeldState = wire.HeldDeposit['state']

export type HeldDeposit = RowOf<wire.HeldDeposit, 'amount'>

const HELD_DEPOSITS = {
  columns: `held.id, held.player_id as "playerId", player.username, held.amount, because,
    case when from_address is null then 'bank' else 'chain' end as by,
    coalesce(from_address, bank.bank_reference, held.reference) as origin, held.reference, held_at as "heldAt",
    case when held.state = 'held' and refund_proposed_at is not null then 'refunding' else held.state end as state,
    proposer.name as "proposedBy", refund_proposed_at as "proposedAt", refund_reason as reason,
    decider.name as "decidedBy", held.decided_at as "decidedAt", refund_reference as "refundReference"`,
  from: `protection.held_deposit held
    join accounts.player on player.id = held.player_id
    left join deposits.bank_deposit bank
      on bank.id = case when held.reference ~ '^bank:\\d{1,18}$' then substr(held.reference, 6)::bigint end
    left join staff.member proposer on proposer.id = refund_proposed_by
    left join staff.member decider on decider.id = held.decided_by`,
  id: { sql: 'held.id', type: 'bigint' },
} as const

/** The condition of each state, as in the index of states. */
const OF_STATE: Record<HeldState, string> = {
  held: `held.state = 'held' and refund_proposed_at is null`,
  refunding: `held.state = 'held' and refund_proposed_at is not null`,
  released: `held.state = 'released'`,
  refunded: `held.state = 'refunded'`,
}

/** The fields that a search text may match, each with an index. */
const SOUGHT = `(held.id = app.number_in(?)
  or held.player_id = any (accounts.players_called(?))
  or held.reference = any (array(select 'bank:' || id from deposits.bank_deposit
    where reference_key = app.reference_key(?)))
  or held.reference = any (array(select 'usdt:' || tx_id || ':' || log_index from deposits.transfer
    where tx_id = lower(?))))`

/** @param ask `q`: the number of a held deposit, its player, the bank's reference, or the transaction */
export function heldDepositPage(
  db: Queryable,
  ask: Ask<{ state: HeldState; playerId: number; q: string }>,
) {
  return pageOf<HeldDeposit>(db, HELD_DEPOSITS, ask, {
    ...(ask.state && { [OF_STATE[ask.state]]: true }),
    'held.player_id = ?': ask.playerId,
    [SOUGHT]: ask.q,
  })
}

export function heldDepositById(db: Queryable, id: number): Promise<HeldDeposit | undefined> {
  return oneOf(db, HELD_DEPOSITS, id)
}

type Answer<Done extends string, Word extends RefusalWord> = Promise<Done | Word>

type Decision = { id: number; session: string }

export function storeProposalOfRefund(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'proposed', 'not_found' | 'decided' | 'already_proposed'> {
  return callFunction(tx, 'console_money.propose_refund', id, reason, session)
}

export function storeRefusalOfRefund(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'refused', 'not_found' | 'decided' | 'not_proposed'> {
  return callFunction(tx, 'console_money.refuse_refund', id, reason, session)
}

/** @param onDay the day of booking, in the operator's time zone */
export function storeRefund(
  tx: Transaction,
  { id, reference, onDay, session }: Decision & { reference: string; onDay: string },
): Answer<'paid', 'not_found' | 'decided' | 'not_proposed' | 'same_person' | 'reference_used'> {
  const values = [id, reference, referenceKey(reference), onDay, session]
  return callFunction(tx, 'console_money.confirm_refund', ...values)
}
