import type { RoomTerms } from '@sum28/contract/staff-games-routes.ts'
import type { Proposal as WireProposal } from '@sum28/contract/staff-proposal-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { formatOdds, type OddsMilli, oddsAreAllowed } from '@sum28/domain/odds.ts'
import { type RuleId, ruleById } from '@sum28/domain/outcomes.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { oddsOfRoom } from '#src/modules/games/catalog.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, type KindRules, propose, proposerOf } from '#src/modules/staff/proposal.ts'
import {
  isRefusal,
  malformed,
  proposedBefore,
  type Refusal,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

const LIMITS = ['stake_min', 'stake_max', 'entry_min'] as const

type Step<Value> = { before: Value; after: Value }

/** What a proposal contains: the limits in micro-units, and the odds that change, in the order of the rules. */
export type RoomChange = Record<(typeof LIMITS)[number], Step<number>> & {
  rules_version: number
  odds: ({ rule_id: RuleId } & Step<OddsMilli>)[]
}

/** A change of a room, which takes effect when the next round of its game opens after the confirmation. */
export const ROOM_CHANGE: KindRules = {
  changesOf: ({ content }) => changesIn(content as RoomChange),

  auditOf: (proposal) => auditRow(proposal, ROOM_CHANGE.changesOf(proposal)),

  async refusalOf(tx, word, { subject, content }) {
    if (word !== 'rules_changed') return refuseByWord(word)
    const { rules_version: version } = content as RoomChange
    return rulesChanged(tx, { roomId: Number(subject.slice('room:'.length)), version })
  },
}

/** What a proposal for several rooms contains: a change of each, in the order of their numbers. */
type OddsChange = { rooms: (RoomChange & { room_id: number; name: string })[] }

/** A change of the odds of several rooms: all of them are decided in one step, and each begins with its next round. */
export const ODDS_CHANGE: KindRules = {
  changesOf: ({ content }) =>
    (content as OddsChange).rooms.flatMap((room) =>
      changesIn(room).map((change) => ({ of: room.name, ...change })),
    ),

  auditOf: (proposal) => auditRow(proposal, ODDS_CHANGE.changesOf(proposal)),

  async refusalOf(tx, word, { content }) {
    if (word !== 'rules_changed') return refuseByWord(word)
    const { rooms } = content as OddsChange
    for (const { room_id: roomId, rules_version: version } of rooms) {
      const room = await roomRow(tx, roomId)
      if (room?.rulesVersion !== version)
        return rulesChanged(tx, { roomId, version, isNamed: true })
    }
    return refuseByWord(word)
  },
}

/** The audit log's row of a change of rooms in its present state, with each limit and odds that change. */
function auditRow(
  { id, kind, subject, state, reason, endReason }: Parameters<KindRules['auditOf']>[0],
  changes: WireProposal['changes'],
): ReturnType<KindRules['auditOf']> {
  return {
    action: `${kind}_${state}`,
    subject,
    details: {
      change: Number(id),
      note: reason,
      ...Object.fromEntries(
        changes.map(({ of, what, before, after }) => [
          of === undefined ? what : `${of} ${what}`,
          `${before} → ${after}`,
        ]),
      ),
      ...(endReason !== null && { reason: endReason }),
    },
  }
}

/**
 * Proposes the same odds for several rooms, all or none; another person confirms them. A room that has these odds stays
 * out of the proposal.
 *
 * @returns null, or not_found, rules_changed (a room has another version, with what has changed), already_proposed (a
 * change of one of them waits), malformed (a return outside of the allowed range, or no change)
 */
export async function proposeOdds(
  db: Database,
  {
    rooms,
    odds,
    note: reason,
    ...actor
  }: Pick<Proposal, 'odds' | 'note'> & { rooms: Pick<Proposal, 'roomId' | 'version'>[] } & Actor,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const content: OddsChange = { rooms: [] }
    for (const { roomId, version } of rooms.toSorted((one, other) => one.roomId - other.roomId)) {
      const room = await roomRow(tx, roomId)
      if (!room) return refuse('not_found', { field: 'rooms' })
      if (room.rulesVersion !== version) {
        return rulesChanged(tx, { roomId, version, isNamed: true })
      }
      if (room.waiting) {
        const subject = `room:${roomId}`
        return proposedBefore(await proposerOf(tx, { kind: 'room_change', subject }))
      }
      const change = await contentOf(tx, { roomId, version, odds, note: reason })
      if (isRefusal(change)) {
        if (change.faults?.odds === 'nothing_changed') continue
        return change
      }
      content.rooms.push({ room_id: roomId, name: nameOf(room), ...change })
    }
    if (content.rooms.length === 0) return malformed({ odds: 'nothing_changed' })
    const subject = `rooms:${content.rooms.map((room) => room.room_id).join(',')}`
    const draft = { kind: 'odds_change', subject, content, reason } as const
    const made = await propose(tx, ODDS_CHANGE, { ...draft, ...actor })
    return isRefusal(made) ? made : null
  })
}

function nameOf({ gameName, title }: RoomRow): string {
  return `${gameName} · ${title}`
}

/** The limits and odds that differ. */
function changesIn({ odds, ...content }: RoomChange): WireProposal['changes'] {
  const amount = (micro: number) => formatAmount(BigInt(micro))
  return [
    ...LIMITS.flatMap((what) => {
      const { before, after } = content[what]
      return before === after ? [] : [{ what, before: amount(before), after: amount(after) }]
    }),
    ...odds.map(({ rule_id: ruleId, before, after }) => ({
      what: `odds ${ruleById(ruleId)?.outcome ?? ruleId}`,
      before: formatOdds(before),
      after: formatOdds(after),
    })),
  ]
}

/**
 * Proposes other limits or odds of a room; another person confirms them.
 *
 * @returns null, or not_found, rules_changed (the room has another version, with what has changed), already_proposed,
 * malformed (a return outside of the allowed range, limits in the wrong order, or no change)
 */
export async function proposeChange(
  db: Database,
  { session, role, ...proposal }: Proposal & Actor,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const content = await contentOf(tx, proposal)
    if (isRefusal(content)) return content
    const { roomId, note: reason } = proposal
    const draft = { kind: 'room_change', subject: `room:${roomId}`, content, reason } as const
    const made = await propose(tx, ROOM_CHANGE, { ...draft, session, role })
    return isRefusal(made) ? made : null
  })
}

/** Lists what has changed since the version that the person saw. @param of `isNamed`: which room is said too */
async function rulesChanged(
  db: Queryable,
  { roomId, version, isNamed = false }: { roomId: number; version: number; isNamed?: boolean },
): Promise<Refusal> {
  const changed = await changedSince(db, { subject: `room:${roomId}`, version })
  const room = await roomRow(db, roomId)
  return refuse('rules_changed', {
    changed: (isNamed && room ? `${nameOf(room)}: ` : '') + changed.join(', '),
    rules_version: room?.rulesVersion ?? 0,
  })
}

/** The content of a proposal that is based on the room's present rules, or what is wrong with it. */
async function contentOf(db: Queryable, proposal: Proposal): Promise<RoomChange | Refusal> {
  const { roomId, version, odds } = proposal
  const room = await roomRow(db, roomId)
  if (!room) return refuse('not_found', { field: 'id' })
  if (room.rulesVersion !== version) return rulesChanged(db, { roomId, version })
  const { stakeMin = room.stakeMin, stakeMax = room.stakeMax, entryMin = room.entryMin } = proposal
  if (stakeMin === 0n) return malformed({ stake_min: 'required' })
  if (stakeMax < stakeMin) return malformed({ stake_max: 'stake_order' })
  const fair = odds.every(({ ruleId, oddsMilli }) =>
    oddsAreAllowed({ oddsMilli, ways: ruleById(ruleId)?.ways ?? 0 }),
  )
  if (!fair) return malformed({ odds: 'odds_return' })
  const step = (before: Amount, after: Amount) => ({ before: Number(before), after: Number(after) })
  const content: RoomChange = {
    rules_version: version,
    stake_min: step(room.stakeMin, stakeMin),
    stake_max: step(room.stakeMax, stakeMax),
    entry_min: step(room.entryMin, entryMin),
    odds: (await oddsOfRoom(db, roomId)).flatMap(({ ruleId, oddsMilli: before }) => {
      const after = odds.find((wanted) => wanted.ruleId === ruleId)?.oddsMilli ?? before
      return before === after ? [] : [{ rule_id: ruleId, before, after }]
    }),
  }
  return changesIn(content).length > 0 ? content : malformed({ odds: 'nothing_changed' })
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

export type Limits = { stakeMin: Amount; stakeMax: Amount; entryMin: Amount }

export type RoomRow = RowOf<Omit<RoomTerms, 'odds'>, keyof Limits>

const ROOM = `select room.id, game_id as "gameId", game.name as "gameName", title, type,
    stake_min as "stakeMin", stake_max as "stakeMax", entry_min as "entryMin",
    rules_version as "rulesVersion",
    console_games.waiting_change(room.id, null) as waiting
  from games.room join games.game on game.id = game_id`

export function roomRows(db: Queryable): Promise<RoomRow[]> {
  return db.query<RoomRow>(`${ROOM} order by game_id, type, room.id`)
}

export function roomRow(db: Queryable, roomId: number): Promise<RoomRow | undefined> {
  return db.first<RoomRow>(`${ROOM} where room.id = $1`, [roomId])
}

/** The names of what the effective changes since a version have changed: limits, and rules as `odds 401`. */
async function changedSince(
  db: Queryable,
  { subject, version }: { subject: string; version: number },
): Promise<string[]> {
  const contents = await db.column<RoomChange>(
    `select content from staff.proposal
     where subject = $1 and kind = 'room_change' and state = 'effective' and (content ->> 'rules_version')::integer >= $2`,
    [subject, version],
  )
  const names = contents.flatMap((content) => changesIn(content).map(({ what }) => what))
  return [...new Set(names)].sort()
}
