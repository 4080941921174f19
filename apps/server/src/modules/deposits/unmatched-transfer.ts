import type { Turn } from '@sum28/contract/staff-list.ts'
import type {
  UNMATCHED_STATES,
  WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import { actAsStaff, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  type Actor,
  amountOf,
  type KindRules,
  moved,
  propose,
  recordEnd,
} from '#src/modules/staff/proposal.ts'
import {
  type Done,
  decidedBefore,
  type Refusal,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import { type RowOf, unixSeconds, wireOf } from '#src/wire-form.ts'
import { depositor, notifyIfConfirmed } from './bank-deposit.ts'

const ACTIONS: Partial<Record<string, string>> = {
  proposed: 'transfer_proposed',
  confirmed: 'transfer_assigned',
}

/** To whom an unmatched transfer belongs. It is credited as if it had matched, however small it is. */
export const ASSIGNMENT: KindRules = {
  changesOf: (proposal) => moved(proposal, amountOf(proposal)),

  auditOf(proposal) {
    const { id, subject, state, playerId, reason, endReason } = proposal
    return {
      action: ACTIONS[state] ?? `transfer_proposal_${state}`,
      subject,
      details: {
        assignment_id: Number(id),
        player_id: playerId,
        amount: formatAmount(amountOf(proposal)),
        ...(endReason === null ? { note: reason } : { reason: endReason }),
      },
    }
  },

  notify(tx, proposal) {
    const { id, subject } = proposal
    return notifyIfConfirmed(tx, proposal, `${subject.replace('transfer:', 'usdt:')}:${id}`)
  },

  async refusalOf(tx, word, { subject }) {
    return word === 'decided' ? decidedBefore(await deciderOf(tx, subject)) : refuseByWord(word)
  },
}

/**
 * Proposes the member to whom an unmatched transfer belongs. Nothing is credited before another person confirms it.
 *
 * @param request `note`: the proof, for the person who confirms
 * @returns the proposal's id, or not_found (no such person, no such transfer), member_only, already_decided (it is
 * credited, or dismissed), already_proposed
 */
export async function assignTransfer(
  db: Database,
  request: Actor & TransferKey & { playerId: number; note: string },
): Promise<{ id: number } | Refusal> {
  const { txId, logIndex, playerId, note: reason, ...actor } = request
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found', { field: 'user_id' })
  if (player.groupId !== 1) return refuse('member_only')
  const transfer = await db.first<{ amount: Amount }>(
    'select amount from deposits.transfer where tx_id = $1 and log_index = $2',
    [txId, logIndex],
  )
  if (!transfer) return refuse('not_found', { field: 'tx_id' })
  const content = { player_id: playerId, amount: String(transfer.amount) }
  const draft = {
    kind: 'assignment',
    subject: subjectOf({ txId, logIndex }),
    content,
    reason,
  } as const
  return asStaff(db, (tx) => propose(tx, ASSIGNMENT, { ...draft, ...actor }))
}

/**
 * Dismisses an unmatched transfer: it belongs to no member. An open proposal is ended with it. It moves no money,
 * so one person is enough, and it can be withdrawn.
 *
 * @returns null, or not_found, already_decided
 */
export function dismissTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  const { txId, logIndex, session, reason } = request
  const subject = subjectOf(request)
  return asStaff(db, async (tx) => {
    const { answer, ended } = await tx.one<{
      answer: 'dismissed' | 'not_found' | 'decided'
      ended: bigint | null
    }>('select answer, ended from deposits.dismiss_transfer($1, $2, $3, $4)', [
      ...[txId, logIndex, session, reason],
    ])
    if (answer === 'decided') return decidedBefore(await deciderOf(tx, subject))
    if (answer === 'not_found') return refuse('not_found', { field: 'tx_id' })
    if (ended !== null) await recordEnd(tx, ASSIGNMENT, { id: Number(ended), session })
    await appendAudit(tx, { session, action: 'transfer_dismissed', subject, details: { reason } })
    return null
  })
}

/**
 * Withdraws the dismissal of a transfer: it is pending again.
 *
 * @returns null, or not_found, not_dismissed
 */
export function reopenTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  const { txId, logIndex, session, reason } = request
  return actAsStaff(db, {
    call: ['deposits.reopen_transfer', txId, logIndex, session],
    done: 'waiting',
    field: 'tx_id',
    entry: {
      session,
      action: 'transfer_reopened',
      subject: subjectOf(request),
      details: { reason },
    },
  })
}

export type UnmatchedState = (typeof UNMATCHED_STATES)[number]

/** A transfer, by its transaction and the position of its log in that. */
export type TransferKey = { txId: string; logIndex: number }

/** The reason is of the proposal, or of its dismissal; `at` is the time of the block. */
export type UnmatchedTransfer = RowOf<
  Omit<WireUnmatchedTransfer, 'createtime' | 'explorer'>,
  'amount'
> & { at: number }

const UNMATCHED = {
  columns: `tx_id as "txId", log_index as "logIndex", block::double precision, amount,
    from_address as "from", deposits.is_ours(from_address) as ours, to_address as "to", block_at as at, found.state,
    proposal_id::double precision as proposal, player_id as "playerId",
    (select username from accounts.player where player.id = found.player_id) as username, reason,
    proposer.name as "proposedBy", decider.name as "decidedBy"`,
  from: `deposits.unmatched_transfer found
    left join staff.member proposer on proposer.id = proposed_by
    left join staff.member decider on decider.id = decided_by`,
  sorts: { block: { sql: 'found.block', type: 'bigint' } },
  id: { sql: `(lpad(found.log_index::text, 10, '0') || found.tx_id)`, type: 'text' },
} as const

/**
 * Whether an unmatched transfer waits for the member $1. Support proposes its owner, but the house's own has none: that is
 * dismissed.
 */
export const TRANSFER_IS_HIS = `exists (select from staff.member where member.id = $1::integer
  and (role in ('owner', 'finance') or role = 'support' and not deposits.is_ours(from_address)))`

/** The conditions of what waits for the member $1, or for others. */
const TURNS: Readonly<Record<Turn, string>> = {
  you: `found.state = 'waiting' and ${TRANSFER_IS_HIS}`,
  others: `found.state = 'waiting' and not ${TRANSFER_IS_HIS}`,
}

/**
 * Those in a state; without a state those that fit a text, or else those that are not decided.
 *
 * @param ask `staffId`: who asks, of a turn; `q`: the beginning of the transaction, or the address that sent or received it
 */
export function unmatchedPage(
  db: Queryable,
  ask: Ask<{ staffId: number; turn: Turn; state: UnmatchedState; q: string }>,
) {
  const undecided = ask.q === undefined ? ['waiting', 'proposed'] : undefined
  const source = { ...UNMATCHED, values: ask.turn ? [ask.staffId] : [] }
  return pageOf<UnmatchedTransfer>(db, source, ask, {
    ...(ask.turn && { [TURNS[ask.turn]]: true }),
    'found.state = any (?)': ask.state ? [ask.state] : undecided,
    [`((found.tx_id >= lower(?) and found.tx_id < lower(?) || 'g')
       or to_address = ? or from_address = ?)`]: ask.q,
  })
}

/** One of them; undefined if there is none, or a member has it. */
export function unmatchedTransfer(
  db: Queryable,
  { txId, logIndex }: TransferKey,
): Promise<UnmatchedTransfer | undefined> {
  const { columns, from } = UNMATCHED
  return db.first<UnmatchedTransfer>(
    `select ${columns} from ${from} where found.tx_id = $1 and found.log_index = $2`,
    [txId, logIndex],
  )
}

function subjectOf({ txId, logIndex }: TransferKey): string {
  return `transfer:${txId}:${logIndex}`
}

/** Who has dismissed a transfer or confirmed its owner, and when; undefined if nobody has. */
function deciderOf(db: Queryable, subject: string): Promise<Done | undefined> {
  return db.first<Done>(
    `select name as by, at from staff.member join (
       select dismissed_by, dismissed_at from deposits.dismissal where deposits.subject_of(tx_id, log_index) = $1
       union all
       select confirmed_by, confirmed_at from deposits.transfer join staff.proposal on proposal.id = assignment
       where tx_id = split_part($1, ':', 2) and deposits.subject_of(tx_id, log_index) = $1
     ) decided (member_id, at) on id = member_id`,
    [subject],
  )
}

/** An unmatched transfer, with what staff decided about it. */
export function unmatchedWire(
  { at, ...transfer }: UnmatchedTransfer,
  chain: string,
): WireUnmatchedTransfer {
  const explorer = chain === 'tron' ? `https://tronscan.org/#/transaction/${transfer.txId}` : null
  return { ...wireOf(transfer), createtime: unixSeconds(at), explorer }
}
