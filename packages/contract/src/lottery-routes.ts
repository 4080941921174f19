/** /api/Lottery: games, rooms, rounds and bets. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import { centAmount, count, day, id, issue, pageFields, playType } from './fields.ts'
import {
  candle,
  feedMessage,
  game,
  hitNotice,
  issueResult,
  listOf,
  money,
  odds,
  runningRound,
  userQuantity,
  version,
} from './replies.ts'

export const lobby = defineRoute({
  path: '/api/Lottery/index',
  summary: 'Games with their rooms and running round',
  auth: 'none',
  rate: 'poll',
  request: z.object({ game_id: z.optional(id) }),
  reply: z.object({ gameList: z.array(game) }),
})

export const heart = defineRoute({
  path: '/api/Lottery/heart',
  summary: 'All that a bet room shows that changes: round, last draw, own money, own wins, feed',
  auth: 'token',
  rate: 'own_poll',
  request: z.object({ plan_id: id, game_id: id, after: z.optional(count) }),
  reply: z.object({
    /** 1 running, 0 outside opening hours, 2 this room or game is stopped, 3 all games are stopped. */
    game_status: z.int(),
    issue: runningRound,
    last_issue: z.nullable(issueResult),
    user_quantity: userQuantity,
    hit_notice: z.array(hitNotice),
    message: z.array(feedMessage),
  }),
})

export const feedPlayer = defineRoute({
  path: '/api/Lottery/feedPlayer',
  summary: "The bets in a room, on the day of a feed's entry, of the entry's player",
  auth: 'token',
  rate: 'read',
  /** `feed_id`: one of the room's last 300 entries. */
  request: z.object({ plan_id: id, game_id: id, feed_id: count }),
  /** Without refunded bets. */
  reply: z.object({
    count: z.int(),
    quantity: money,
    payout: money,
    /** The part of `quantity` that waits for its draw. */
    pending: money,
  }),
})

export const oddsList = defineRoute({
  path: '/api/Lottery/oddsList',
  summary: "A room's odds, with each outcome's chance and return",
  auth: 'token',
  rate: 'read',
  request: z.object({ plan_id: id }),
  reply: z.object({
    rule_base: z.array(odds),
    rule_num: z.array(odds),
    num_code: z.record(z.string(), z.string()),
    /** The most that all bets of one player in one round may pay together. */
    payout_max: money,
    /** Of the room's odds and limits; grows with each change. */
    rules_version: z.int(),
  }),
})

export const playOrder = defineRoute({
  path: '/api/Lottery/playOrder',
  summary: 'Places a bet: the stake on each of the chosen outcomes',
  auth: 'token',
  rate: 'write',
  request: z.object({
    issue,
    plan_id: id,
    game_id: id,
    play_type: playType,
    money: centAmount,
    follow_id: z.optional(count),
    /**
     * The version of the odds that the player was shown; the bet is refused if it is no longer the present
     * one. Without this field the bet is placed at the present odds.
     */
    rules_version: z.optional(id),
  }),
  /** The feed entry of the order, as the player gets it from `heart`. */
  reply: z.extend(feedMessage, { orderNo: z.string(), after_quantity: money, version }),
})

export const issueList = defineRoute({
  path: '/api/Lottery/issueList',
  summary: 'Past rounds of a game, newest first',
  auth: 'none',
  rate: 'read',
  request: z.object({ game_id: id, date: z.optional(day), ...pageFields }),
  reply: listOf(issueResult),
})

export const cand = defineRoute({
  path: '/api/Lottery/cand',
  summary: 'Candles of drawn rounds, oldest first: the latest 300 that the request leaves',
  auth: 'none',
  rate: 'read',
  request: z.object({
    game_id: id,
    /** A game day; rounds of all days when absent. */
    date: z.optional(day),
    /** A round: only earlier ones, for loading older candles. */
    before: z.optional(issue),
  }),
  reply: z.array(candle),
})
