/** The SQL of unmatched transfers: how staff assign or dismiss them. */
import type { UNMATCHED_STATES } from '@sum28/contract/staff-transfer-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type UnmatchedState = (typeof UNMATCHED_STATES)[number]

/** A transfer, by its transaction and the place of its log in that. */
export type TransferKey = { txId: string; logIndex: number }

export type UnmatchedTransfer = TransferKey & {
  block: number
  from: string
  to: string
  amount: Amount
  at: number
  state: UnmatchedState
  /** Null while it waits, with all that follows. */
  assignmentId: number | null
  /** Null of one that was dismissed. */
  playerId: number | null
  username: string | null
  note: string | null
  /** Names of staff. */
  proposedBy: string | null
  proposedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

/** Those in a state, or in no state those that are not settled. */
const IN_STATE = `(case when $1::text is null then state in ('waiting', 'proposed') else state = $1 end)`

/** Unmatched transfers, newest first, and how many there are. */
export async function unmatchedTransfers(
  db: Queryable,
  { state, limit, offset }: { state: UnmatchedState | null; limit: number; offset: number },
): Promise<{ rows: UnmatchedTransfer[]; total: number }> {
  const rows = await db.query<UnmatchedTransfer>(
    `select tx_id as "txId", log_index as "logIndex", block::double precision, amount,
       from_address as "from", to_address as "to", block_at as at, found.state,
       assignment_id::double precision as "assignmentId", player_id as "playerId", username, note,
       proposer.name as "proposedBy", proposed_at as "proposedAt",
       decider.name as "decidedBy", decided_at as "decidedAt"
     from (select * from deposits.unmatched_transfer where ${IN_STATE}) found
       left join accounts.player on player.id = player_id
       left join staff.member proposer on proposer.id = proposed_by
       left join staff.member decider on decider.id = decided_by
     order by block desc, log_index desc, tx_id limit $2 offset $3`,
    [state, limit, offset],
  )
  const { total } = only(
    await db.query<{ total: number }>(
      `select count(*)::integer as total from deposits.unmatched_transfer where ${IN_STATE}`,
      [state],
    ),
  )
  return { rows, total }
}

/** Proposes to which player a transfer belongs: the proposal's id, or why not. */
export async function proposeAssignment(
  tx: Transaction,
  asked: TransferKey & { playerId: number; note: string; session: string },
): Promise<number | 'not_found' | 'decided' | 'already_proposed' | 'by_bank'> {
  type Said = 'not_found' | 'decided' | 'already_proposed' | 'by_bank'
  const { said, id } = only(
    await tx.query<{ said: Said; id: null } | { said: null; id: number }>(
      `select said, assignment_id::integer as id
       from deposits.propose_assignment($1, $2, $3, $4, $5)`,
      [asked.txId, asked.logIndex, asked.playerId, asked.note, asked.session],
    ),
  )
  return said ?? id
}

export type Assigned = TransferKey & { playerId: number; amount: Amount }

/** What an assignment says; undefined where there is none of that id. */
export async function assignmentById(db: Queryable, id: number): Promise<Assigned | undefined> {
  const [row] = await db.query<Assigned>(
    `select tx_id as "txId", log_index as "logIndex", assignment.player_id as "playerId", amount
     from deposits.assignment join deposits.transfer using (tx_id, log_index)
     where assignment.id = $1`,
    [id],
  )
  return row
}

type Confirmed = 'confirmed' | 'not_found' | 'decided' | 'same_person'

/** Confirms and credits, on a day of the operator's time zone. */
export async function confirmProposal(
  tx: Transaction,
  { id, session, onDay }: { id: number; session: string; onDay: string },
): Promise<Confirmed> {
  return only(
    await tx.query<{ said: Confirmed }>(`select deposits.confirm_assignment($1, $2, $3) as said`, [
      id,
      session,
      onDay,
    ]),
  ).said
}

export async function refuseProposal(
  tx: Transaction,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<'refused' | 'not_found' | 'decided'> {
  return only(
    await tx.query<{ said: 'refused' | 'not_found' | 'decided' }>(
      `select deposits.refuse_assignment($1, $2, $3) as said`,
      [id, session, reason],
    ),
  ).said
}

type Settling = TransferKey & { session: string; reason: string }

/** Dismisses a transfer, with a proposal that is open. */
export async function dismiss(
  tx: Transaction,
  { txId, logIndex, session, reason }: Settling,
): Promise<'dismissed' | 'not_found' | 'decided'> {
  return only(
    await tx.query<{ said: 'dismissed' | 'not_found' | 'decided' }>(
      `select deposits.dismiss_transfer($1, $2, $3, $4) as said`,
      [txId, logIndex, session, reason],
    ),
  ).said
}

/** Takes a dismissal back. */
export async function reopen(
  tx: Transaction,
  { txId, logIndex, session, reason }: Settling,
): Promise<'waiting' | 'not_found' | 'not_dismissed'> {
  return only(
    await tx.query<{ said: 'waiting' | 'not_found' | 'not_dismissed' }>(
      `select deposits.reopen_transfer($1, $2, $3, $4) as said`,
      [txId, logIndex, session, reason],
    ),
  ).said
}
