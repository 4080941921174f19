/** /api/staff/rooms: the console's area of games: rooms, their limits and odds. */
import { type OddsMilli, parseOdds } from '@sum28/domain/odds.ts'
import { RULES, type RuleId, ruleById } from '@sum28/domain/outcomes.ts'
import * as z from 'zod/mini'
import { centAmount, id, orFault, text } from './fields.ts'
import { money } from './replies.ts'
import { defineStaffRoute } from './staff-route.ts'

/** The longest text: for each rule its number and the longest odds, `1000.999`. */
const ODDS_TEXT_MAX = RULES.length * 13

/** Rules with their decimal odds, as text for a form: `1:1.92,401:960`. Each rule at most once. */
const oddsList = z.pipe(
  text({ max: ODDS_TEXT_MAX }),
  orFault<string, { ruleId: RuleId; oddsMilli: OddsMilli }[]>('odds', (value) => {
    const list = value.split(',').flatMap((part) => {
      const [rule = '', odds = '', ...more] = part.split(':')
      const ruleId = /^\d{1,3}$/.test(rule) ? Number(rule) : 0
      const oddsMilli = parseOdds(odds)
      const right = more.length === 0 && ruleById(ruleId) && oddsMilli !== null
      return right ? [{ ruleId, oddsMilli }] : [null]
    })
    const read = list.filter((each) => each !== null)
    const rules = new Set(read.map(({ ruleId }) => ruleId))
    return rules.size === list.length ? read : undefined
  }),
)

const room = z.object({
  id: z.int(),
  game_id: z.int(),
  game_name: z.string(),
  title: z.string(),
  type: z.int(),
  stake_min: money,
  stake_max: money,
  entry_min: money,
  rules_version: z.int(),
  /** The pending change, or null. */
  waiting: z.nullable(z.enum(['proposed', 'confirmed'])),
})

export const listRooms = defineStaffRoute({
  path: '/api/staff/rooms',
  summary: 'Rooms with their limits, and whether a change of them waits',
  action: 'rooms.read',
  reply: z.array(room),
})

export const roomTerms = z.object({
  ...room.shape,
  /** The 36 outcomes; `ways` is how many of the 1,000 draws hit. */
  odds: z.array(
    z.object({
      rule_id: z.int(),
      outcome: z.string(),
      ways: z.int(),
      odds: z.string(),
    }),
  ),
})
export type RoomTerms = z.infer<typeof roomTerms>

export const showRoom = defineStaffRoute({
  path: '/api/staff/rooms/show',
  summary: 'One room with its limits and odds',
  action: 'rooms.read',
  request: z.object({ id }),
  reply: roomTerms,
})

export const proposeRoomChange = defineStaffRoute({
  path: '/api/staff/roomChanges/propose',
  summary: 'Proposes other limits or odds of a room; another person confirms',
  action: 'odds.propose',
  request: z.object({
    id,
    /** The version on which the proposal is based: refused if it is not the present one. */
    rules_version: id,
    /** Absent values stay unchanged. */
    stake_min: z.optional(centAmount),
    stake_max: z.optional(centAmount),
    entry_min: z.optional(centAmount),
    /** Rules and their decimal odds: `1:1.92,401:960`. */
    odds: z.optional(oddsList),
    note: text({ max: 200 }),
  }),
})

/** Rooms with the versions on which a proposal is based, as text for a form: `11:1,12:3`. Each room at most once. */
const roomVersions = z.pipe(
  text({ max: 500 }),
  orFault<string, { roomId: number; version: number }[]>('invalid', (value) => {
    const parts = value.split(',').map((part) => /^(\d{1,9}):(\d{1,9})$/.exec(part))
    const read = parts.map((part) => ({ roomId: Number(part?.[1]), version: Number(part?.[2]) }))
    const rooms = new Set(read.map(({ roomId }) => roomId))
    return !parts.includes(null) && rooms.size === read.length ? read : undefined
  }),
)

export const proposeOdds = defineStaffRoute({
  path: '/api/staff/roomChanges/proposeOdds',
  summary: 'Proposes the same odds for several rooms; another person confirms all of them at once',
  action: 'odds.proposeForRooms',
  request: z.object({ rooms: roomVersions, odds: oddsList, note: text({ max: 200 }) }),
})
