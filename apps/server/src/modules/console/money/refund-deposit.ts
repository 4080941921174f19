/** Pays a held deposit back: proposed by one person and confirmed by another, each step in the audit log. */
import type * as wire from '@sum28/contract/staff-money-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import { callFunction, type Database, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  proposedBefore,
  type Refusal,
  type RefusalWord,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

/** The held deposit, and the token of the acting session. */
type OnDeposit = { id: number; session: string }

/**
 * Proposes to pay a held deposit back to its sender.
 *
 * @returns null, or not_found, already_decided (it was released meanwhile) or already_proposed
 */
export function proposeRefund(
  db: Database,
  request: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await storeProposalOfRefund(tx, request)
    if (word !== 'proposed') return refusalOf(tx, request.id, word)
    await done(tx, request, 'refund_proposed', { reason: request.reason })
    return null
  })
}

/**
 * Withdraws a proposal.
 *
 * @returns null, or not_found, already_decided or not_proposed
 */
export function refuseRefund(
  db: Database,
  request: OnDeposit & { reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await storeRefusalOfRefund(tx, request)
    if (word !== 'refused') return refusalOf(tx, request.id, word)
    await done(tx, request, 'refund_refused', { reason: request.reason })
    return null
  })
}

/**
 * Records that a held deposit was paid back, and notifies the player. The person who proposed it may not do this.
 *
 * @param request `reference`: the payment's; valid for one payment
 * @returns null, or not_found, already_decided, not_proposed, second_person_needed or reference_used
 */
export function confirmRefund(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  request: OnDeposit & { reference: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await storeRefund(tx, { ...request, onDay: dayOf(timeZone, now()) })
    if (word !== 'paid') return refusalOf(tx, request.id, word)
    const { playerId, amount } = await depositOf(tx, request.id)
    const facts = { amount: formatAmount(amount), reference: request.reference }
    await notify(tx, { playerId, kind: 'deposit_refunded', facts })
    await done(tx, request, 'deposit_refunded', { reference: request.reference })
    return null
  })
}

/** Why it was refused; if it is decided or proposed already, by whom. The product itself makes releases. */
async function refusalOf(tx: Transaction, id: number, word: RefusalWord): Promise<Refusal> {
  const deposit = await heldDepositById(tx, id)
  if (word === 'decided') return decidedBefore(deposit?.decidedBy)
  if (word === 'already_proposed') return proposedBefore(deposit?.proposedBy)
  return refuseByWord(word)
}

async function done(
  tx: Transaction,
  { id, session }: OnDeposit,
  action: string,
  facts: Record<string, string>,
): Promise<void> {
  const { playerId, amount, origin } = await depositOf(tx, id)
  await appendAudit(tx, {
    ...{ session, action },
    subject: `held_deposit:${id}`,
    details: { player_id: playerId, amount: formatAmount(amount), origin, ...facts },
  })
}

async function depositOf(tx: Transaction, id: number): Promise<HeldDeposit> {
  const deposit = await heldDepositById(tx, id)
  if (!deposit) throw new Error(`the held deposit ${id} that was decided is gone`)
  return deposit
}

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
  or held.reference = any (array(select 'bank:' || id from staff.proposal
    where kind = 'bank_deposit' and content ->> 'reference_key' = app.reference_key(?)))
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

function storeProposalOfRefund(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'proposed', 'not_found' | 'decided' | 'already_proposed'> {
  return callFunction(tx, 'console_money.propose_refund', id, reason, session)
}

function storeRefusalOfRefund(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'refused', 'not_found' | 'decided' | 'not_proposed'> {
  return callFunction(tx, 'console_money.refuse_refund', id, reason, session)
}

/** @param onDay the day of booking, in the operator's time zone */
function storeRefund(
  tx: Transaction,
  { id, reference, onDay, session }: Decision & { reference: string; onDay: string },
): Answer<'paid', 'not_found' | 'decided' | 'not_proposed' | 'same_person' | 'reference_used'> {
  const values = [id, reference, referenceKey(reference), onDay, session]
  return callFunction(tx, 'console_money.confirm_refund', ...values)
}
