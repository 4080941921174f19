/** Pays a held deposit back: proposed by one person and confirmed by another, each step in the audit log. */
import type { Turn } from '@sum28/contract/staff-list.ts'
import type * as wire from '@sum28/contract/staff-money-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { payoutReference } from '#src/formats/payment-reference.ts'
import { NOTIFY_FROM, notify } from '#src/modules/inbox/notify.ts'
import { actAsStaff, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  type Actor,
  amountOf,
  type KindRules,
  type Proposal,
  propose,
} from '#src/modules/staff/proposal.ts'
import { walletFault } from '#src/modules/withdrawals/pay-methods.ts'
import { deniedAtOf, deniersOf, takerOf } from '#src/modules/withdrawals/withdrawal-store.ts'
import {
  decidedBefore,
  isRefusal,
  malformed,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
  takenBefore,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

const SUBJECT = 'held_deposit:'

type Content = { origin: string; payee?: string }

/** Where it came from, and to which other address it is paid back, if to another. */
const wayOf = ({ content }: Proposal) => content as Content

/** A held deposit that is paid back; the confirming person names the payment. */
export const REFUND: KindRules = {
  adds: 'reference',

  changesOf: (proposal) => [
    { what: 'refund', before: null, after: formatAmount(amountOf(proposal)) },
    ...(wayOf(proposal).payee === undefined
      ? [{ what: 'origin', before: null, after: wayOf(proposal).origin }]
      : [{ what: 'payee', before: wayOf(proposal).origin, after: wayOf(proposal).payee ?? '' }]),
  ],

  auditOf(proposal) {
    const { subject, state, playerId, reason, endReason, confirmedWith } = proposal
    return {
      action: state === 'confirmed' ? 'deposit_refunded' : `refund_${state}`,
      subject,
      details: {
        player_id: playerId,
        amount: formatAmount(amountOf(proposal)),
        origin: wayOf(proposal).origin,
        ...(wayOf(proposal).payee !== undefined && { payee: wayOf(proposal).payee }),
        ...(state === 'confirmed' ? { reference: confirmedWith } : { reason: endReason ?? reason }),
      },
    }
  },

  async notify(tx, proposal) {
    const { playerId, state, subject, confirmedWith } = proposal
    if (playerId === null || state !== 'confirmed') return
    const deposit = await heldDepositById(tx, Number(subject.slice(SUBJECT.length)))
    // Of a transaction he is told once the chain shows it.
    if (deposit?.by === 'chain') return
    const facts = { amount: formatAmount(amountOf(proposal)), reference: confirmedWith ?? '' }
    await notify(tx, { playerId, kind: 'deposit_refunded', facts })
  },

  async refusalOf(tx, word, { subject }) {
    if (word === 'reference_missing') return malformed({ reference: 'required' })
    if (word === 'not_his_wallet') return malformed({ payee: 'not_his_wallet' })
    if (word === 'not_a_transaction') return malformed({ reference: 'transaction_id' })
    if (word === 'payment_taken') return takenBefore(await takerOf(tx, subject))
    if (word !== 'decided') return asRefund(refuseByWord(word))
    const deposit = await heldDepositById(tx, Number(subject.slice(SUBJECT.length)))
    // The product itself makes releases.
    return decidedBefore({ by: deposit?.decidedBy, at: deposit?.decidedAt })
  },
}

/** A refund has no time at which it was sent before what stops it, as a withdrawal has. */
function asRefund(refusal: Refusal): Refusal {
  const isStopped = ['account_frozen', 'withdrawal_on_hold'].includes(refusal.refused)
  return isStopped ? { ...refusal, wording: 'refund_stopped' } : refusal
}

/**
 * Proposes to pay a held deposit back to its sender, or, if it came on the chain, to the wallet in its player's account,
 * as when an exchange sent it. Meanwhile it is not released.
 *
 * @returns null, or not_found, already_decided (it was released meanwhile), already_proposed, second_person_needed (the
 *   person named the transaction that is wrong), withdrawal_on_hold, or invalid_input (the address)
 */
export function proposeRefund(
  { db, usdtContract }: { db: Database; usdtContract: string },
  {
    id,
    reason,
    payee,
    ...actor
  }: Actor & { id: number; reason: string; payee?: string | undefined },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const deposit = await heldDepositById(tx, id)
    if (!deposit) return refuse('not_found', { field: 'id' })
    const { playerId, amount, origin, by } = deposit
    if (payee !== undefined) {
      const fault = by === 'bank' ? 'choice' : await walletFault(tx, payee, usdtContract)
      if (fault) return malformed({ payee: fault })
    }
    const other = payee === origin ? undefined : payee
    const content = { player_id: playerId, amount: String(amount), origin, payee: other }
    const draft = { kind: 'refund', subject: `${SUBJECT}${id}`, content, reason } as const
    const made = await propose(tx, REFUND, { ...draft, ...actor })
    return isRefusal(made) ? made : null
  })
}

/**
 * Takes the proposed refund of a held deposit to pay it: meanwhile nobody else records it, and nobody ends the proposal.
 *
 * @param request `takenFrom`: the name of the person from whom it is taken over
 * @returns null, or not_found, already_decided (no refund is proposed), second_person_needed (the person proposed it, or
 *   gave it back), payment_taken (by another person), payment_not_taken (by nobody any more), or account_frozen, withdrawal_on_hold or
 *   invalid_input (of one that goes to another address: it is not that of its player any more)
 */
export async function takeRefund(
  db: Database,
  { id, session, takenFrom }: { id: number; session: string; takenFrom: string | undefined },
): Promise<null | Refusal> {
  const subject = SUBJECT + id
  const details = takenFrom === undefined ? {} : { taken_from: takenFrom }
  const refusal = await actAsStaff(db, {
    call: ['console_money.take_refund', id, takenFrom ?? null, session],
    done: 'taken',
    taker: (tx) => takerOf(tx, subject),
    entry: { session, action: 'payment_taken', subject, details },
  })
  if (refusal?.refused === 'invalid_input') return malformed({ payee: 'not_his_wallet' })
  return refusal && asRefund(refusal)
}

/**
 * Gives a refund back that the caller has taken and not paid, or one who may pay nothing any more: another pays it,
 * or releases it.
 *
 * @returns null, or payment_taken (by another person) or payment_not_taken
 */
export function giveRefundBack(
  db: Database,
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  const subject = SUBJECT + id
  return actAsStaff(db, {
    call: ['console_money.give_refund_back', id, session],
    done: 'given_back',
    taker: (tx) => takerOf(tx, subject),
    entry: { session, action: 'payment_given_back', subject, details: {} },
  })
}

/**
 * Lets those pay a refund again who gave it back, as another person says than all of them: it was not paid.
 *
 * @returns null, or not_found, already_decided (nobody is kept from paying it, or it was given back later than
 *   `deniedAt`) or second_person_needed
 */
export function releaseRefund(
  db: Database,
  { id, deniedAt, session }: { id: number; deniedAt: number; session: string },
): Promise<null | Refusal> {
  return actAsStaff(db, {
    call: ['console_money.release_refund', id, new Date(deniedAt), session],
    done: 'released',
    entry: { session, action: 'refund_released', subject: SUBJECT + id, details: {} },
  })
}

/**
 * Names another transaction for a refund that the chain does not show, or another reference for one by a bank: who pays
 * it again instead may pay it twice.
 *
 * @returns null, or not_found, already_decided (the chain has shown it, it is not paid back, or another payment is named
 *   now than `seen`), already_proposed (it is being paid again), second_person_needed (the person named the
 *   payment), reference_used, or invalid_input (not a transaction)
 */
export function correctRefund(
  db: Database,
  request: { id: number; reference: string; seen: string; reason: string; session: string },
): Promise<null | Refusal> {
  const reference = payoutReference(request.reference)
  return changePaid(db, request, { to: 'corrected', reference })
}

/**
 * Says that the bank sent the payment of a refund back: the deposit is to be paid back again, and its player is told.
 *
 * @returns null, or not_found, already_decided (it is not paid back by a bank now, or by another payment than `seen`) or
 *   second_person_needed (the person named the payment)
 */
export function returnRefund(
  db: Database,
  request: { id: number; seen: string; reason: string; session: string },
): Promise<null | Refusal> {
  return changePaid(db, request, { to: 'returned' })
}

/** Changes what is said of a refund that is paid. */
function changePaid(
  db: Database,
  { id, seen, reason, session }: { id: number; seen: string; reason: string; session: string },
  change: { to: 'corrected'; reference: string } | { to: 'returned' },
): Promise<null | Refusal> {
  const { to, ...named } = change
  const call =
    to === 'returned'
      ? ['return_refund', id, session, seen]
      : ['correct_refund', id, session, change.reference, seen]
  return asStaff(db, async (tx) => {
    const before = await heldDepositById(tx, id)
    const [name, ...values] = call
    const word = await callFunction<typeof to | RefusalWord>(tx, `console_money.${name}`, ...values)
    if (word === 'decided') return decidedBefore({ by: before?.decidedBy, at: before?.decidedAt })
    if (word === 'not_a_transaction') return malformed({ reference: 'transaction_id' })
    if (word !== to) return refuseByWord(word as RefusalWord)
    const earlier = before?.refundReference ?? ''
    if (to === 'returned' && before) {
      // He was told that the bank paid it.
      const facts = { amount: formatAmount(before.amount), reference: earlier }
      await notify(tx, { playerId: before.playerId, kind: 'refund_sent_back', facts })
    }
    const details = { ...named, before: earlier, reason }
    await appendAudit(tx, { session, action: `refund_${to}`, subject: SUBJECT + id, details })
    return null
  })
}

type HeldState = wire.HeldDeposit['state']

export type HeldDeposit = RowOf<wire.HeldDeposit, 'amount'>

/** A correction begins `decided_at` anew, to wait for the chain; the proposal has when the refund was confirmed. */
const DECIDED_AT = `case when refund_corrected_by is null then held.decided_at else (select max(confirmed_at)
  from staff.proposal where subject = '${SUBJECT}' || held.id and kind = 'refund') end`

/** As `console_money.correct_refund` judges it. */
const CHAIN_HAS_TIME = `(refund_chain is not distinct from 'awaited'
  and held.decided_at > app.now() - interval '10 minutes')`

const HELD_DEPOSITS = {
  columns: `held.id, held.player_id as "playerId", player.username, held.amount, because,
    case when from_address is null then 'bank' else 'chain' end as by,
    coalesce(from_address, bank.bank_reference, held.reference) as origin, held.reference, held_at as "heldAt",
    asked_back_at as "askedBackAt",
    case when not protection.is_unresolved(held) then held.state
      when staff.is_proposed('${SUBJECT}' || held.id) then (select case kind when 'refund' then 'refunding'
        else 'taking_back' end from staff.proposal where subject = '${SUBJECT}' || held.id and state = 'proposed')
      when held.state = 'held' then 'held'
      when held.refund_returned_by is not null then 'refund_returned'
      else 'refund_' || refund_chain end as state,
    decider.name as "decidedBy", ${DECIDED_AT} as "decidedAt", refund_reference as "refundReference",
    array(select details ->> 'reference' from staff.audit
      where subject = '${SUBJECT}' || held.id and action in ('deposit_refunded', 'refund_corrected')
        and details ->> 'reference' <> refund_reference order by audit.id desc) as "earlierReferences",
    corrector.name as "refundCorrectedBy", ${CHAIN_HAS_TIME} as "chainHasTime", refund_to as "refundTo", taker.name as "takenBy", taken.taken_at as "takenAt",
    ${deniersOf(`'${SUBJECT}' || held.id`)} as "keptFromPaying",
    ${deniedAtOf(`'${SUBJECT}' || held.id`)} as "deniedAt"`,
  from: `protection.held_deposit held
    join accounts.player on player.id = held.player_id
    left join deposits.bank_deposit bank
      on bank.id = case when held.reference ~ '^bank:\\d{1,18}$' then substr(held.reference, 6)::bigint end
    left join staff.member decider on decider.id = held.decided_by
    left join staff.member corrector on corrector.id = refund_corrected_by
    left join staff.taken_payment taken on taken.subject = '${SUBJECT}' || held.id
    left join staff.member taker on taker.id = taken.taken_by`,
  id: { sql: 'held.id', type: 'bigint' },
} as const

/**
 * The condition of the held deposits that the start page counts, since no day credits them soon: those in a break or
 * above the whole of a limit, those asked back, those of closed accounts, and those of a player who said, in this
 * account or another of his, that he is under age, while no identity of this account waits for a check; of an amount
 * whose return costs less than it. And those whose refund the chain does not show, a bank sent back, or one of the staff
 * gave back. Each part reads an index, or few rows.
 */
export const HELD_IS_DUE = `held.amount >= ${NOTIFY_FROM}
  and not staff.is_proposed('${SUBJECT}' || held.id) and held.id = any (array(
  select due.id from protection.held_deposit due where due.state = 'held' and due.for_staff
  union all
  select due.id from protection.held_deposit due join accounts.player closed on closed.id = due.player_id
  where due.state = 'held' and closed.state = 'closed'
  union all
  select due.id from protection.held_deposit due join protection.player child using (player_id)
  where due.state = 'held' and child.under_review and protection.under_age_since(player_id) is not null and not exists (
    select from withdrawals.identity where identity.player_id = child.player_id and identity.state = 'waiting')
  union all
  select due.id from protection.held_deposit due
  where due.refund_chain = 'wrong' or due.refund_returned_by is not null
  union all
  select due.id from protection.held_deposit due
  where due.refund_chain = 'awaited' and due.decided_at < app.now() - interval '10 minutes'
  union all
  select app.number_in(substr(subject, ${SUBJECT.length + 1})) from staff.payment_denial
  where starts_with(subject, '${SUBJECT}')))`

/**
 * Whether one of them waits for the member $1: a payment that is not seen is corrected by a cashier, one that is wrong by
 * him or paid again; neither by the person who named it.
 */
export const HELD_IS_HIS = `exists (select from staff.member where member.id = $1::integer
  and (role in ('owner', 'finance') or role = 'support' and refund_chain is distinct from 'awaited')
  and (refund_chain in ('awaited', 'wrong') and member.id = coalesce(refund_corrected_by, held.decided_by)) is not true)`

/** The conditions of what waits for the member $1, or for others. */
const TURNS: Readonly<Record<Turn, string>> = {
  you: `${HELD_IS_DUE} and ${HELD_IS_HIS}`,
  others: `${HELD_IS_DUE} and not ${HELD_IS_HIS}`,
}

function proposedAs(kind: 'refund' | 'debit'): string {
  return `held.id = any (array(select app.number_in(substr(subject, ${SUBJECT.length + 1}))
    from staff.proposal where kind = '${kind}' and state = 'proposed' and starts_with(subject, '${SUBJECT}')))`
}

/** The condition of each state, as in the index of states. */
const OF_STATE: Record<HeldState, string> = {
  held: `held.state = 'held' and not staff.is_proposed('${SUBJECT}' || held.id)`,
  refunding: proposedAs('refund'),
  taking_back: proposedAs('debit'),
  taken_back: `held.state = 'taken_back'`,
  released: `held.state = 'released'`,
  refund_awaited: `held.refund_chain = 'awaited'`,
  refund_wrong: `held.refund_chain = 'wrong' and not staff.is_proposed('${SUBJECT}' || held.id)`,
  refund_returned: `held.refund_returned_by is not null and not staff.is_proposed('${SUBJECT}' || held.id)`,
  refunded: `held.state = 'refunded' and not protection.is_unresolved(held)`,
}

/** The fields that a search text may match, each with an index. */
const SOUGHT = `(held.id = app.number_in(?)
  or held.player_id = any (accounts.players_called(?))
  or held.reference = any (array(select 'bank:' || id from staff.proposal
    where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = app.reference_key(?)))
  or held.reference = any (array(select deposits.reference_of(tx_id, log_index, assignment) from deposits.transfer
    where tx_id = lower(?))))`

/** @param ask `staffId`: who asks, of a turn; `q`: the number of a held deposit, its player, the bank's reference, or the transaction */
export function heldDepositPage(
  db: Queryable,
  ask: Ask<{
    staffId: number
    turn: Turn
    state: HeldState
    due: 'now'
    playerId: number
    q: string
  }>,
) {
  const source = { ...HELD_DEPOSITS, values: ask.turn ? [ask.staffId] : [] }
  return pageOf<HeldDeposit>(db, source, ask, {
    ...(ask.turn && { [TURNS[ask.turn]]: true }),
    ...(ask.state && { [OF_STATE[ask.state]]: true }),
    ...(ask.due && { [HELD_IS_DUE]: true }),
    'held.player_id = ?': ask.playerId,
    [SOUGHT]: ask.q,
  })
}

export function heldDepositById(db: Queryable, id: number): Promise<HeldDeposit | undefined> {
  return oneOf(db, HELD_DEPOSITS, id)
}
