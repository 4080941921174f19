/** /api/staff/reports: the console's area of reports: figures by day, game, room and player. */
import * as z from 'zod/mini'
import { dayRange, id } from './fields.ts'
import { money } from './replies.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffDownload, defineStaffRoute } from './staff-route.ts'

/** The subject of a report's rows. */
export const REPORT_BY = ['day', 'game', 'room', 'player'] as const
export type ReportBy = (typeof REPORT_BY)[number]

/** The sort fields of a report; `key` is the day, or the number of the game, room or player. */
const SORTS = [
  'key',
  'turnover',
  'payouts',
  'result',
  'return',
  'deposits',
  'withdrawals',
  'adjustments',
] as const

const filters = {
  by: z.optional(z.enum(REPORT_BY, { error: 'choice' })),
  /** The players (default) or the operator's robots; no figure contains both. */
  who: z.optional(z.enum(['players', 'robots'], { error: 'choice' })),
  /** Game days; for deposits and withdrawals calendar days of the operator's zone. */
  ...dayRange,
  game_id: z.optional(id),
  room_id: z.optional(id),
  player_id: z.optional(id),
}

const figures = {
  bets: z.int(),
  /** Of settled bets; no figure contains refunded ones. */
  turnover: money,
  payouts: money,
  /** The turnover minus the payouts: below zero if the house lost. */
  result: money,
  /** What players were to expect by the odds of their bets: the return in theory is this by the turnover. */
  expected: money,
  /** The standard deviation of the payouts over all draws; null by player, where it is not known. */
  deviation: z.nullable(money),
  /** Null where they are not defined: by game and room, and of robots. */
  deposits: z.nullable(money),
  withdrawals: z.nullable(money),
  /** Bonuses and corrections; below zero if the debits were greater. */
  adjustments: z.nullable(money),
}

export const reportRow = z.object({
  /** The number of the game, room or player; for a day the number of days since 1 January 1970. */
  id: z.int(),
  day: z.nullable(z.string()),
  game: z.nullable(z.string()),
  room: z.nullable(z.string()),
  username: z.nullable(z.string()),
  ...figures,
})
export type ReportRow = z.infer<typeof reportRow>

export const reportList = defineStaffRoute({
  path: '/api/staff/reports',
  summary: 'Turnover, payouts, return, deposits and withdrawals by day, game, room or player',
  action: 'reports.read',
  request: listRequest(SORTS, filters),
  reply: listPage(reportRow),
})

export const reportTotals = defineStaffRoute({
  path: '/api/staff/reports/totals',
  summary: 'The figures of a whole report, and how many rows it has',
  action: 'reports.read',
  request: z.object(filters),
  reply: z.object({ begin_date: z.string(), end_date: z.string(), rows: z.int(), ...figures }),
})

export const reportCsv = defineStaffDownload({
  path: '/api/staff/reports/csv',
  summary: 'A whole report as a table for a spreadsheet, as it stands at one instant',
  action: 'reports.read',
  mediaType: 'text/csv',
  request: z.object({
    ...filters,
    sort: z.optional(z.enum(SORTS, { error: 'choice' })),
    order: z.optional(z.enum(['asc', 'desc'], { error: 'choice' })),
  }),
})

/** The choices that the console offers. */
export const reportChoices = defineStaffRoute({
  path: '/api/staff/reports/choices',
  summary: 'The games and rooms by which a report can be filtered, and the day that it is',
  action: 'reports.read',
  reply: z.object({
    today: z.string(),
    games: z.array(z.object({ id: z.int(), name: z.string() })),
    rooms: z.array(z.object({ id: z.int(), game_id: z.int(), name: z.string() })),
  }),
})

/** The periods of the report of players. */
export const ACTIVITY_BY = ['day', 'week', 'month'] as const

/** After so many days without a bet a player is dormant. */
export const DORMANT_AFTER_DAYS = 30

export const activityRow = z.object({
  /** The number of days from 1 January 1970 to its first day. */
  id: z.int(),
  /** Of a week or month the days that were asked for. */
  first_day: z.string(),
  last_day: z.string(),
  /** Who registered in it, visitors too. */
  new_players: z.int(),
  /** Of whom a bet was settled in it. */
  active: z.int(),
  /** Who became dormant in it: on a day, after 29 without a settled bet, and with an open account. */
  turned_dormant: z.int(),
})
export type ActivityRow = z.infer<typeof activityRow>

export const activityList = defineStaffRoute({
  path: '/api/staff/reports/activity',
  summary: 'New, active and dormant players by day, week or month; robots are not counted',
  action: 'reports.read',
  request: listRequest(['id'], {
    by: z.optional(z.enum(ACTIVITY_BY, { error: 'choice' })),
    /** Calendar days of the operator's zone, at most a year; weeks begin on Monday. Later days than today are left out. */
    ...dayRange,
  }),
  reply: listPage(activityRow),
})
