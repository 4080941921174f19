import type {
  ROOM_CHANGE_STATES,
  RoomChange,
  RoomTerms,
} from '@sum28/contract/staff-games-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { formatOdds, type OddsMilli, oddsAreFair } from '@sum28/domain/odds.ts'
import { type RuleId, ruleById } from '@sum28/domain/outcomes.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { oddsOfRoom } from '#src/modules/games/catalog.ts'
import { type AuditDetails, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

/**
 * Proposes other limits or odds of a room; another person confirms them.
 *
 * @returns null, or not_found, rules_changed (the room has another version, with what has changed), already_proposed,
 * malformed (a return outside of the allowed range, limits in the wrong order, or no change)
 */
export async function proposeChange(
  db: Database,
  proposal: Proposal & { session: string },
): Promise<null | Refusal> {
  const { roomId, version, session } = proposal
  return asStaff(db, async (tx) => {
    const faults = await faultsOf(tx, proposal)
    if (faults) return faults
    const word = await insertProposal(tx, proposal)
    if (word === 'rules_changed') return rulesChanged(tx, { roomId, version })
    if (word !== 'proposed') return refuseByWord(word)
    const change = await waitingChange(tx, roomId)
    if (!change) throw new Error(`a change of room ${roomId} was proposed and is not there`)
    await appendAudit(tx, {
      session,
      action: 'room_change_proposed',
      subject: `room:${roomId}`,
      details: changeFacts(change),
    })
    return null
  })
}

/** Lists what has changed since the version that the person saw. */
async function rulesChanged(
  db: Queryable,
  { roomId, version }: { roomId: number; version: number },
): Promise<Refusal> {
  const changed = await changedSince(db, { roomId, version })
  const room = await roomRow(db, roomId)
  return refuse('rules_changed', {
    changed: changed.join(', '),
    rules_version: room?.rulesVersion ?? 0,
  })
}

/** What is wrong with a proposal that is based on the room's present rules; null if nothing is. */
async function faultsOf(db: Queryable, proposal: Proposal): Promise<Refusal | null> {
  const { roomId, version, odds } = proposal
  const room = await roomRow(db, roomId)
  if (!room) return refuse('not_found', { field: 'id' })
  if (room.rulesVersion !== version) return rulesChanged(db, { roomId, version })
  const { stakeMin = room.stakeMin, stakeMax = room.stakeMax, entryMin = room.entryMin } = proposal
  if (stakeMin === 0n) return malformed({ stake_min: 'required' })
  if (stakeMax < stakeMin) return malformed({ stake_max: 'stake_order' })
  const fair = odds.every(({ ruleId, oddsMilli }) =>
    oddsAreFair({ oddsMilli, ways: ruleById(ruleId)?.ways ?? 0 }),
  )
  if (!fair) return malformed({ odds: 'odds_return' })
  const offers = await oddsOfRoom(db, roomId)
  const otherOdds = odds.some(({ ruleId, oddsMilli }) =>
    offers.some((offer) => offer.ruleId === ruleId && offer.oddsMilli !== oddsMilli),
  )
  const otherLimits =
    stakeMin !== room.stakeMin || stakeMax !== room.stakeMax || entryMin !== room.entryMin
  return otherOdds || otherLimits ? null : malformed({ odds: 'nothing_changed' })
}

/**
 * Confirms a change that another person has proposed. It takes effect when the next round of its game opens.
 *
 * @returns null, or not_found, already_decided, second_person_needed, rules_changed
 */
export async function confirmChange(
  db: Database,
  { changeId, session }: { changeId: number; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word === 'rules_changed' && change) {
      return rulesChanged(tx, { roomId: change.roomId, version: change.rulesVersion })
    }
    if (word !== 'confirmed') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was confirmed and is not there`)
    await appendAudit(tx, {
      session,
      action: 'room_change_confirmed',
      subject: `room:${change.roomId}`,
      details: changeFacts(change),
    })
    return null
  })
}

/**
 * Ends a change that is not effective yet: the person who proposed it withdraws it, another person refuses it.
 *
 * @returns null, or not_found, already_decided
 */
export async function endChange(
  db: Database,
  { changeId, reason, session }: { changeId: number; reason: string | null; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await endProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word !== 'withdrawn' && word !== 'refused') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was ended and is not there`)
    await appendAudit(tx, {
      session,
      action: `room_change_${word}`,
      subject: `room:${change.roomId}`,
      details: { ...changeFacts(change), reason },
    })
    return null
  })
}

/** What the log stores of a change: the differences, each as `before → after`. */
function changeFacts(change: ChangeRow): AuditDetails {
  const limits = [
    ['stake_min', change.stakeMinBefore, change.stakeMin],
    ['stake_max', change.stakeMaxBefore, change.stakeMax],
    ['entry_min', change.entryMinBefore, change.entryMin],
  ] as const
  return {
    change: Number(change.id),
    note: change.note,
    ...Object.fromEntries(
      limits
        .filter(([, before, after]) => before !== after)
        .map(([name, before, after]) => [name, `${formatAmount(before)} → ${formatAmount(after)}`]),
    ),
    ...Object.fromEntries(
      change.odds.map(({ outcome, before, after }) => [
        `odds ${outcome}`,
        `${formatOdds(before)} → ${formatOdds(after)}`,
      ]),
    ),
  }
}

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
  return callFunction(
    db,
    'console_games.propose_change',
    proposal.roomId,
    proposal.version,
    proposal.stakeMin ?? null,
    proposal.stakeMax ?? null,
    proposal.entryMin ?? null,
    odds.map(({ ruleId }) => ruleId),
    odds.map(({ oddsMilli }) => oddsMilli),
    proposal.note,
    proposal.session,
  )
}

type Decision = { changeId: number; session: string }

export function confirmProposal(
  db: Queryable,
  { changeId, session }: Decision,
): Promise<'confirmed' | 'not_found' | 'decided' | 'same_person' | 'rules_changed'> {
  return callFunction(db, 'console_games.confirm_change', changeId, session)
}

export function endProposal(
  db: Queryable,
  { changeId, session }: Decision,
): Promise<'withdrawn' | 'refused' | 'not_found' | 'decided'> {
  return callFunction(db, 'console_games.end_change', changeId, session)
}

export type ChangeRow = RowOf<Omit<RoomChange, 'before' | 'after' | 'odds'>> &
  Limits & {
    stakeMinBefore: Amount
    stakeMaxBefore: Amount
    entryMinBefore: Amount
    /** In the order of the rules. */
    odds: { ruleId: RuleId; outcome: string; ways: number; before: OddsMilli; after: OddsMilli }[]
  }

const CHANGES = {
  columns: `change.id, room_id as "roomId", game_id as "gameId", title, base_version as "rulesVersion",
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
    effective_issue::text as "effectiveIssue", effective_at as "effectiveAt"`,
  from: `console_games.room_change change
    join games.room on room.id = room_id
    join staff.member proposer on proposer.id = proposed_by
    left join staff.member confirmer on confirmer.id = confirmed_by
    left join staff.member ender on ender.id = ended_by`,
  id: { sql: 'change.id', type: 'bigint' },
} as const

/** The change of this id, if there is one. */
function changeRow(db: Queryable, id: number): Promise<ChangeRow | undefined> {
  return oneOf(db, CHANGES, id)
}

/** The room's change that is not effective yet. */
async function waitingChange(db: Queryable, roomId: number): Promise<ChangeRow | undefined> {
  const [row] = await db.query<ChangeRow>(
    `select ${CHANGES.columns} from ${CHANGES.from}
     where room_id = $1 and state in ('proposed', 'confirmed')`,
    [roomId],
  )
  return row
}

/** One page of the history, latest first. */
export function changeRows(db: Queryable, ask: Ask<{ roomId: number; state: ChangeState }>) {
  return pageOf<ChangeRow>(db, CHANGES, ask, { 'room_id = ?': ask.roomId, 'state = ?': ask.state })
}

type ChangeState = (typeof ROOM_CHANGE_STATES)[number]

export type Limits = { stakeMin: Amount; stakeMax: Amount; entryMin: Amount }

export type RoomRow = RowOf<Omit<RoomTerms, 'odds'>, keyof Limits>

const ROOM = `select room.id, game_id as "gameId", game.name as "gameName", title, type,
    stake_min as "stakeMin", stake_max as "stakeMax", entry_min as "entryMin",
    rules_version as "rulesVersion",
    (select state from console_games.room_change
      where room_id = room.id and state in ('proposed', 'confirmed')) as waiting
  from games.room join games.game on game.id = game_id`

export function roomRows(db: Queryable): Promise<RoomRow[]> {
  return db.query<RoomRow>(`${ROOM} order by game_id, type, room.id`)
}

/** One room, or undefined if there is no such room. */
export async function roomRow(db: Queryable, roomId: number): Promise<RoomRow | undefined> {
  const [room] = await db.query<RoomRow>(`${ROOM} where room.id = $1`, [roomId])
  return room
}

/** The names of what the effective changes since a version have changed: limits, and rules as `odds 401`. */
async function changedSince(
  db: Queryable,
  { roomId, version }: { roomId: number; version: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `with since as (
       select * from console_games.room_change
       where room_id = $1 and state = 'effective' and base_version >= $2
     )
     select 'stake_min' as name from since where stake_min <> stake_min_before
     union select 'stake_max' from since where stake_max <> stake_max_before
     union select 'entry_min' from since where entry_min <> entry_min_before
     union select 'odds ' || rule.outcome from since
       join console_games.odds_change on change_id = since.id
       join games.rule on rule.id = rule_id
     order by name`,
    [roomId, version],
  )
  return rows.map(({ name }) => name)
}
