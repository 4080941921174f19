import type {
  UNMATCHED_STATES,
  WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import {
  callFunction,
  type Database,
  only,
  type Queryable,
  type Transaction,
} from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  proposedBefore,
  type Refusal,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import { depositor } from './bank-deposit.ts'

/**
 * Proposes the member to whom an unmatched transfer belongs. Nothing is credited before another person confirms it.
 *
 * @param request `note`: the proof, for the person who confirms
 * @returns the proposal's id, or not_found (no such person, no such transfer), member_only, already_decided (it is
 * credited, or dismissed), already_proposed
 */
export async function assignTransfer(
  db: Database,
  request: TransferKey & { playerId: number; note: string; session: string },
): Promise<{ id: number } | Refusal> {
  const { txId, logIndex, playerId, note, session } = request
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found', { field: 'user_id' })
  if (player.groupId !== 1) return refuse('member_only')
  return asStaff(db, async (tx) => {
    const result = await proposeAssignment(tx, request)
    if (result === 'not_found') return refuseByWord(result, { field: 'tx_id' })
    if (result === 'decided') return decidedBefore(await deciderOf(tx, request))
    if (result === 'already_proposed') return proposedBefore(await deciderOf(tx, request))
    await appendAudit(tx, {
      session,
      action: 'transfer_proposed',
      subject: `transfer:${txId}:${logIndex}`,
      details: { assignment_id: result, player_id: playerId, note },
    })
    return { id: result }
  })
}

/**
 * Confirms a transfer's owner, as another person proposed. It is credited as if it had matched, under its transaction
 * and log and so once, and the player is notified, however small the amount is.
 *
 * @returns null, or not_found, already_decided, second_person_needed
 */
export async function confirmAssignment(
  deps: { db: Database; timeZone: string; now: () => number },
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(deps.db, async (tx) => {
    const onDay = dayOf(deps.timeZone, deps.now())
    const word = await confirmProposal(tx, { id, session, onDay })
    const assigned = await assignmentById(tx, id)
    if (word === 'decided') return decidedBefore(assigned?.decidedBy)
    if (word !== 'confirmed') return refuseByWord(word)
    if (!assigned) throw new Error(`assignment ${id} was confirmed and is not there`)
    const { txId, logIndex, playerId } = assigned
    const amount = formatAmount(assigned.amount)
    const held = await isHeld(tx, `usdt:${txId}:${logIndex}`)
    await notifyOfDeposits(tx, [{ playerId, amount: assigned.amount, held }])
    await appendAudit(tx, {
      session,
      action: 'transfer_assigned',
      subject: `transfer:${txId}:${logIndex}`,
      details: { assignment_id: id, player_id: playerId, amount },
    })
    return null
  })
}

/**
 * Refuses a proposal: nothing is credited, and the transfer is pending again. A cashier may refuse his own proposal.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseAssignment(
  db: Database,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await refuseProposal(tx, { id, session, reason })
    const refused = await assignmentById(tx, id)
    if (word === 'decided') return decidedBefore(refused?.decidedBy)
    if (word !== 'refused') return refuseByWord(word)
    if (!refused) throw new Error(`assignment ${id} was refused and is not there`)
    await appendAudit(tx, {
      session,
      action: 'transfer_proposal_refused',
      subject: `transfer:${refused.txId}:${refused.logIndex}`,
      details: { assignment_id: id, player_id: refused.playerId, reason },
    })
    return null
  })
}

/**
 * Dismisses an unmatched transfer: it belongs to no member. An open proposal is refused with it. It moves no money,
 * so one person is enough, and it can be withdrawn.
 *
 * @returns null, or not_found, already_decided
 */
export async function dismissTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await dismiss(tx, request)
    if (word === 'not_found') return refuseByWord(word, { field: 'tx_id' })
    if (word === 'decided') return decidedBefore(await deciderOf(tx, request))
    await appendAudit(tx, {
      session: request.session,
      action: 'transfer_dismissed',
      subject: `transfer:${request.txId}:${request.logIndex}`,
      details: { reason: request.reason },
    })
    return null
  })
}

/**
 * Withdraws the dismissal of a transfer: it is pending again.
 *
 * @returns null, or not_found, not_dismissed
 */
export async function reopenTransfer(
  db: Database,
  request: TransferKey & { session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await reopen(tx, request)
    if (word === 'not_found') return refuseByWord(word, { field: 'tx_id' })
    if (word === 'not_dismissed') return refuseByWord(word)
    await appendAudit(tx, {
      session: request.session,
      action: 'transfer_reopened',
      subject: `transfer:${request.txId}:${request.logIndex}`,
      details: { reason: request.reason },
    })
    return null
  })
}

export type UnmatchedState = (typeof UNMATCHED_STATES)[number]

/** A transfer, by its transaction and the position of its log in that. */
export type TransferKey = { txId: string; logIndex: number }

export type UnmatchedTransfer = TransferKey & {
  block: number
  from: string
  to: string
  amount: Amount
  at: number
  state: UnmatchedState
  /** Null while it is pending, like all following fields. */
  assignmentId: number | null
  /** Null if it was dismissed. */
  playerId: number | null
  username: string | null
  note: string | null
  /** Names of staff. */
  proposedBy: string | null
  proposedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

const UNMATCHED = {
  columns: `tx_id as "txId", log_index as "logIndex", block::double precision, amount,
    from_address as "from", to_address as "to", block_at as at, found.state,
    assignment_id::double precision as "assignmentId", player_id as "playerId", username, note,
    proposer.name as "proposedBy", proposed_at as "proposedAt",
    decider.name as "decidedBy", decided_at as "decidedAt"`,
  from: `deposits.unmatched_transfer found
    left join accounts.player on player.id = player_id
    left join staff.member proposer on proposer.id = proposed_by
    left join staff.member decider on decider.id = decided_by`,
  sorts: { block: { sql: 'found.block', type: 'bigint' } },
  id: { sql: `(lpad(found.log_index::text, 10, '0') || found.tx_id)`, type: 'text' },
} as const

/**
 * Those in a state, or without a state those that are not decided.
 *
 * @param ask `q`: the beginning of the transaction, or the address that sent or received it
 */
export function unmatchedPage(db: Queryable, ask: Ask<{ state: UnmatchedState; q: string }>) {
  return pageOf<UnmatchedTransfer>(db, UNMATCHED, ask, {
    'found.state = any (?)': ask.state ? [ask.state] : ['waiting', 'proposed'],
    [`((found.tx_id >= lower(?) and found.tx_id < lower(?) || 'g')
       or to_address = ? or from_address = ?)`]: ask.q,
  })
}

/** Proposes to which player a transfer belongs: returns the proposal's id, or why it was refused. */
export async function proposeAssignment(
  tx: Transaction,
  request: TransferKey & { playerId: number; note: string; session: string },
): Promise<number | 'not_found' | 'decided' | 'already_proposed'> {
  type Word = 'not_found' | 'decided' | 'already_proposed'
  const { answer: word, id } = only(
    await tx.query<{ answer: Word; id: null } | { answer: null; id: number }>(
      `select answer, assignment_id::integer as id
       from deposits.propose_assignment($1, $2, $3, $4, $5)`,
      [request.txId, request.logIndex, request.playerId, request.note, request.session],
    ),
  )
  return word ?? id
}

export type Assigned = TransferKey & {
  playerId: number
  amount: Amount
  /** The name of a member of staff. */
  decidedBy: string | null
}

/** The data of an assignment; undefined if there is none with that id. */
async function assignmentById(db: Queryable, id: number): Promise<Assigned | undefined> {
  const [row] = await db.query<Assigned>(
    `select tx_id as "txId", log_index as "logIndex", assignment.player_id as "playerId", amount,
       decider.name as "decidedBy"
     from deposits.assignment join deposits.transfer using (tx_id, log_index)
       left join staff.member decider on decider.id = decided_by
     where assignment.id = $1`,
    [id],
  )
  return row
}

/** The member who has decided on a transfer, or has proposed it if nobody has decided; null if neither. */
async function deciderOf(db: Queryable, { txId, logIndex }: TransferKey): Promise<string | null> {
  const [row] = await db.query<{ name: string }>(
    `select member.name from deposits.assignment
       join staff.member on member.id = coalesce(decided_by, proposed_by)
     where tx_id = $1 and log_index = $2 and state <> 'refused'`,
    [txId, logIndex],
  )
  return row?.name ?? null
}

type Confirmed = 'confirmed' | 'not_found' | 'decided' | 'same_person'

/** Confirms and credits; the day of booking is in the operator's time zone. */
export function confirmProposal(
  tx: Transaction,
  { id, session, onDay }: { id: number; session: string; onDay: string },
): Promise<Confirmed> {
  return callFunction(tx, 'deposits.confirm_assignment', id, session, onDay)
}

export function refuseProposal(
  tx: Transaction,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<'refused' | 'not_found' | 'decided'> {
  return callFunction(tx, 'deposits.refuse_assignment', id, session, reason)
}

type Settling = TransferKey & { session: string; reason: string }

/** Dismisses a transfer, together with an open proposal. */
export function dismiss(
  tx: Transaction,
  { txId, logIndex, session, reason }: Settling,
): Promise<'dismissed' | 'not_found' | 'decided'> {
  return callFunction(tx, 'deposits.dismiss_transfer', txId, logIndex, session, reason)
}

/** Withdraws a dismissal. */
export function reopen(
  tx: Transaction,
  { txId, logIndex, session, reason }: Settling,
): Promise<'waiting' | 'not_found' | 'not_dismissed'> {
  return callFunction(tx, 'deposits.reopen_transfer', txId, logIndex, session, reason)
}

/** An unmatched transfer, with what staff decided about it. */
export function unmatchedWire(transfer: UnmatchedTransfer): WireUnmatchedTransfer {
  return {
    tx_id: transfer.txId,
    log_index: transfer.logIndex,
    block: transfer.block,
    from: transfer.from,
    to: transfer.to,
    quantity: formatAmount(transfer.amount),
    createtime: unixSeconds(transfer.at),
    state: transfer.state,
    assignment: assignmentWire(transfer),
  }
}

function assignmentWire(transfer: UnmatchedTransfer): WireUnmatchedTransfer['assignment'] {
  const { assignmentId: id, note, proposedBy, proposedAt, decidedAt } = transfer
  if (id === null || note === null || proposedBy === null || proposedAt === null) return null
  return {
    id,
    user_id: transfer.playerId,
    username: transfer.username,
    note,
    proposed_by: proposedBy,
    proposed_at: unixSeconds(proposedAt),
    decided_by: transfer.decidedBy,
    decided_at: unixSecondsOrNull(decidedAt),
  }
}
