/** The SQL of changes of a room: proposing, deciding, and their history. */
import type { Amount } from '@sum28/domain/money.ts'
import type { OddsMilli } from '@sum28/domain/odds.ts'
import type { RuleId } from '@sum28/domain/outcomes.ts'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { ChangeState } from './room-store.ts'

export type NewOdds = { ruleId: RuleId; oddsMilli: OddsMilli }

/** The proposal; an absent field stays as it is. */
export type Proposal = {
  roomId: number
  /** The version of the room's rules on which the proposal is based. */
  version: number
  stakeMin?: Amount | undefined
  stakeMax?: Amount | undefined
  entryMin?: Amount | undefined
  odds: readonly NewOdds[]
  note: string
}

export function insertProposal(
  db: Queryable,
  proposal: Proposal & { session: string },
): Promise<'proposed' | 'not_found' | 'rules_changed' | 'already_proposed'> {
  const { odds } = proposal
  return callFunction(db, 'console_games.propose_change($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    proposal.roomId,
    proposal.version,
    proposal.stakeMin ?? null,
    proposal.stakeMax ?? null,
    proposal.entryMin ?? null,
    odds.map(({ ruleId }) => ruleId),
    odds.map(({ oddsMilli }) => oddsMilli),
    proposal.note,
    proposal.session,
  ])
}

type Decision = { changeId: number; session: string }

export function confirmProposal(
  db: Queryable,
  { changeId, session }: Decision,
): Promise<'confirmed' | 'not_found' | 'decided' | 'same_person' | 'rules_changed'> {
  return callFunction(db, 'console_games.confirm_change($1, $2)', [changeId, session])
}

export function endProposal(
  db: Queryable,
  { changeId, session }: Decision,
): Promise<'withdrawn' | 'refused' | 'not_found' | 'decided'> {
  return callFunction(db, 'console_games.end_change($1, $2)', [changeId, session])
}

export type ChangeRow = {
  id: number
  roomId: number
  gameId: number
  title: string
  version: number
  state: ChangeState
  note: string
  stakeMinBefore: Amount
  stakeMaxBefore: Amount
  entryMinBefore: Amount
  stakeMin: Amount
  stakeMax: Amount
  entryMin: Amount
  /** In the order of the rules. */
  odds: { ruleId: RuleId; outcome: string; ways: number; before: OddsMilli; after: OddsMilli }[]
  proposedBy: string
  proposedAt: number
  confirmedBy: string | null
  confirmedAt: number | null
  endedBy: string | null
  endedAt: number | null
  effectiveIssue: string | null
  effectiveAt: number | null
}

const CHANGE = `change.id, room_id as "roomId", game_id as "gameId", title, base_version as version,
  state, note, stake_min_before as "stakeMinBefore", stake_max_before as "stakeMaxBefore",
  entry_min_before as "entryMinBefore", change.stake_min as "stakeMin",
  change.stake_max as "stakeMax", change.entry_min as "entryMin",
  (select coalesce(json_agg(json_build_object('ruleId', rule.id, 'outcome', outcome, 'ways', ways,
      'before', odds_before, 'after', odds_milli) order by rule.id), '[]')
    from console_games.odds_change join games.rule on rule.id = rule_id
    where change_id = change.id) as odds,
  proposer.name as "proposedBy", proposed_at as "proposedAt",
  confirmer.name as "confirmedBy", confirmed_at as "confirmedAt",
  ender.name as "endedBy", ended_at as "endedAt",
  effective_issue::text as "effectiveIssue", effective_at as "effectiveAt"`

const TABLES = `console_games.room_change change
  join games.room on room.id = room_id
  join staff.member proposer on proposer.id = proposed_by
  left join staff.member confirmer on confirmer.id = confirmed_by
  left join staff.member ender on ender.id = ended_by`

/** One change, for the audit log. Undefined if there is no such change. */
export async function changeRow(db: Queryable, id: number): Promise<ChangeRow | undefined> {
  const [row] = await db.query<ChangeRow>(`select ${CHANGE} from ${TABLES} where change.id = $1`, [
    id,
  ])
  return row
}

/** The room's change that is not effective yet. */
export async function waitingChange(db: Queryable, roomId: number): Promise<ChangeRow | undefined> {
  const [row] = await db.query<ChangeRow>(
    `select ${CHANGE} from ${TABLES}
     where room_id = $1 and state in ('proposed', 'confirmed')`,
    [roomId],
  )
  return row
}

/**
 * One page of the history, latest first.
 *
 * @returns the changes and the cursor of the next page; or invalid_input
 */
export async function changeRows(
  db: Queryable,
  ask: KeysetRequest & { roomId?: number | undefined; state?: ChangeState | undefined },
): Promise<{ list: ChangeRow[]; next: string | null } | Refusal> {
  const id = { sql: 'change.id', type: 'bigint' } as const
  const key = keyset(ask, { sorts: { id }, id, firstValue: 3 })
  if (isRefusal(key)) return key
  const rows = await db.query<ChangeRow & KeyedRow>(
    `select ${CHANGE}, ${key.columns} from ${TABLES}
     where ($1::integer is null or room_id = $1) and ($2::text is null or state = $2)
       and ${key.where}
     ${key.tail}`,
    [ask.roomId ?? null, ask.state ?? null, ...key.values],
  )
  return key.page(rows)
}
