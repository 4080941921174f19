/** The SQL of unmatched transfers: how staff assign or dismiss them. */
import type { UNMATCHED_STATES } from '@sum28/contract/staff-transfer-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'

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
export async function assignmentById(db: Queryable, id: number): Promise<Assigned | undefined> {
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
export async function deciderOf(
  db: Queryable,
  { txId, logIndex }: TransferKey,
): Promise<string | null> {
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
