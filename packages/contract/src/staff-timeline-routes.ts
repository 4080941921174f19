/** /api/staff/rounds: the rounds of all games for staff, from the opening to the settlement. */
import * as z from 'zod/mini'
import { day, id, issue, optionalText } from './fields.ts'
import { publishedRound } from './receipt.ts'
import { money, unix } from './replies.ts'
import { due, listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

export const ROUND_STATES = ['open', 'sealed', 'drawn', 'settled', 'voided'] as const

export const timelineRound = z.object({
  /** The game's number and the round's: `1-20261120001`. */
  id: z.string(),
  game_id: z.int(),
  game: z.string(),
  issue: z.string(),
  state: z.enum(ROUND_STATES),
  opens_at: unix,
  seals_at: unix,
  draws_at: unix,
  /** When the book of bets was closed, the beacon's value stored, the digits drawn. */
  book_closed_at: z.nullable(unix),
  /** Whether a witness saw the book before the value existed; null without a book. */
  witnessed: z.nullable(z.boolean()),
  value_at: z.nullable(unix),
  drawn_at: z.nullable(unix),
  /** When every bet of it was paid, lost or refunded. */
  settled_at: z.nullable(unix),
  voided_at: z.nullable(unix),
  void_reason: z.nullable(z.enum(['beacon_late', 'sealed_late', 'two_persons'])),
  digits: z.nullable(z.tuple([z.int(), z.int(), z.int()])),
  /** Bets in the book so far; null for a voided round, whose book is not complete. */
  bets: z.nullable(z.int()),
  /** The proposal to void the round: its author, time, reason, and who confirmed it. */
  proposal: z.nullable(
    z.object({ by: z.string(), at: unix, note: z.string(), confirmed_by: z.nullable(z.string()) }),
  ),
})
export type TimelineRound = z.infer<typeof timelineRound>

export const listRounds = defineStaffRoute({
  path: '/api/staff/rounds',
  summary: 'Rounds of all games, the one that ends last first',
  action: 'rounds.read',
  request: listRequest(['draws_at'], {
    game_id: z.optional(id),
    state: z.optional(z.enum(ROUND_STATES, { error: 'choice' })),
    /** The game day. */
    day: z.optional(day),
    due,
    /** A round's number. */
    q: optionalText(100),
  }),
  reply: listPage(timelineRound),
})

export const roundPage = z.object({
  ...timelineRound.shape,
  /** The stakes of players and robots, by room. */
  rooms: z.array(
    z.object({
      room_id: z.int(),
      room: z.string(),
      robots: z.boolean(),
      bets: z.int(),
      staked: money,
      paid: money,
      refunded: money,
      /** Bets that are neither settled nor refunded yet. */
      waiting: z.int(),
    }),
  ),
  /** Its published data, the input of the verifier. */
  proof: publishedRound,
})
export type RoundPage = z.infer<typeof roundPage>

export const oneRound = defineStaffRoute({
  path: '/api/staff/rounds/one',
  summary: 'One round: its times, its bets by room, and what is public of it',
  action: 'rounds.read',
  request: z.object({ game_id: id, issue }),
  reply: roundPage,
})
