/** /api/staff/start: the console's start page: what needs a person now, and the day's figures. */
import * as z from 'zod/mini'
import { money, unix } from './replies.ts'
import type { Route } from './route.ts'
import { defineStaffRoute } from './staff-route.ts'

/** What may need a person, in the order in which it is shown. */
export const NEEDS = [
  'clocks_apart',
  'draws_late',
  'chain_behind',
  'books_unchecked',
  'jobs_failed',
  'seeds_short',
  'withdrawals_waiting',
  'payouts_due',
  'withdrawal_returns_proposed',
  'bank_deposits_waiting',
  'transfers_unmatched',
  'transfers_proposed',
  'returns_proposed',
  'room_changes_proposed',
  'voids_proposed',
  'adjustments_proposed',
  'accounts_alike',
  'code_resets_proposed',
  'differences_found',
  'stops',
] as const
export type Need = (typeof NEEDS)[number]

export const startNeeds = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/start/needs',
  summary: 'What needs a person now, as far as the caller may see it',
  action: 'start.needs',
  rate: 'poll',
  request: z.object({}),
  reply: z.object({
    needs: z.array(
      z.object({
        need: z.enum(NEEDS),
        count: z.int(),
        /** Since when the oldest waits. */
        since: z.nullable(unix),
        /** Of these, how many wait for more than an hour, and for more than a day. */
        hour: z.int(),
        day: z.int(),
      }),
    ),
  }),
})

const figures = z.object({
  turnover: money,
  payouts: money,
  /** What players were to expect by the odds of their bets: the return in theory is this by the turnover. */
  expected: money,
  /** The standard deviation of the payouts, of all draws that could have been. */
  deviation: money,
  bets: z.int(),
})
export type WireFigures = z.infer<typeof figures>

export const startFigures = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/start/figures',
  summary: 'The figures of today’s settled rounds, of yesterday’s and of those a week ago',
  action: 'start.figures',
  rate: 'poll',
  request: z.object({}),
  reply: z.object({
    /** Today, yesterday and a week ago, by the operator's game days. */
    days: z.array(
      z.object({
        day: z.string(),
        /** Players alone; robots are in none of these. */
        whole: figures,
        /** Up to the time of day that it is now. */
        so_far: figures,
        players: z.int(),
        deposits: money,
        withdrawals: money,
        /** What the house's robots staked. */
        robots: money,
        /** Of the rounds that ended in each hour since the day's beginning. */
        hours: z.array(figures),
      }),
    ),
    /** Today, by game and room. */
    rooms: z.array(
      z.extend(figures, {
        game: z.string(),
        room: z.string(),
        room_id: z.int(),
        /** The turnover of yesterday and of a week ago, up to the time of day that it is now. */
        before: z.array(money),
      }),
    ),
  }),
})

/** Every call of the area. */
export const START_ROUTES: readonly Route[] = [startNeeds, startFigures]
