/** /api/protection: limits, reality check and breaks of a player, and their present state. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import { centAmount, choice, id, pageFields } from './fields.ts'
import { money, unix } from './replies.ts'

const kind = z.enum(['deposit', 'loss', 'stake'], { error: 'choice' })
const period = z.enum(['day', 'week', 'month'], { error: 'choice' })

export const protectionState = defineRoute({
  path: '/api/protection/state',
  summary: 'Limits with what they leave, the session of play, a break, and deposits that are held',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    limits: z.array(
      z.object({
        kind,
        period,
        /** The player's own; null: none. */
        own: z.nullable(money),
        /** The lowest of the player's own, the operator's and the law's limit; null: none. */
        amount: z.nullable(money),
        by: z.nullable(z.enum(['player', 'operator', 'law'])),
        used: money,
        left: z.nullable(money),
        begins_anew_at: unix,
        /** A requested higher limit: it may be confirmed between these times. */
        raise: z.nullable(z.object({ own: z.nullable(money), from: unix, until: unix })),
      }),
    ),
    check_minutes: z.int(),
    /** It begins with the first bet; null if there is none now. */
    session: z.nullable(
      z.object({
        began_at: unix,
        staked: money,
        won: money,
        net: money,
        /** When the next reality check is due: bets are refused from then until it is acknowledged. */
        check_at: unix,
      }),
    ),
    /** A break that the player has taken, or why staff hold the account; `until` is null if it has no end date. */
    exclusion: z.nullable(
      z.object({
        kind: z.enum(['time_out', 'self_exclusion', 'likeness', 'under_age']),
        until: z.nullable(unix),
        /** The time from which the player may ask to return. */
        may_ask_from: z.nullable(unix),
      }),
    ),
    held: z.array(
      z.object({
        id: z.int(),
        quantity: money,
        because: z.enum(['limit', 'excluded', 'review']),
        createtime: unix,
        /** Whether it is being paid back, or its player wants that: it is not credited any more. */
        asked_back: z.boolean(),
      }),
    ),
  }),
})

export const setLimit = defineRoute({
  path: '/api/protection/setLimit',
  summary: 'Sets an own limit: a lower one holds at once, a higher one is confirmed 24 hours later',
  auth: 'token',
  rate: 'write',
  request: z.object({
    kind,
    period,
    /** Absent: no limit. */
    money: z.optional(centAmount),
  }),
  reply: z.object({ outcome: z.enum(['lowered', 'raise_asked', 'same']) }),
})

export const confirmLimit = defineRoute({
  path: '/api/protection/confirmLimit',
  summary: 'Confirms a higher limit that was asked for 24 hours ago, within 7 days',
  auth: 'token',
  rate: 'write',
  request: z.object({ kind, period }),
})

export const askBack = defineRoute({
  path: '/api/protection/askBack',
  summary: 'Asks to have a held deposit of 1 u or more paid back to where it came from',
  auth: 'token',
  rate: 'write',
  request: z.object({ id }),
})

export const setRealityCheck = defineRoute({
  path: '/api/protection/setRealityCheck',
  summary: 'Sets after how many minutes of play a summary is shown',
  auth: 'token',
  rate: 'write',
  request: z.object({ minutes: choice([15, 30, 60, 120, 240]) }),
})

export const acknowledgeCheck = defineRoute({
  path: '/api/protection/acknowledge',
  summary: 'Acknowledges the reality check that is due, for all devices of the player',
  auth: 'token',
  rate: 'write',
  reply: z.object({ was_due: z.boolean() }),
})

export const takeBreak = defineRoute({
  path: '/api/protection/takeBreak',
  summary:
    'Ends betting and depositing at once: a time-out of hours, or a self-exclusion of months',
  auth: 'token',
  rate: 'write',
  request: z.object({
    /** Exactly one of the two. */
    hours: z.optional(choice([24, 48, 168, 336, 672, 1008])),
    months: z.optional(choice([6, 12, 24, 36, 60])),
  }),
})

export const askReturn = defineRoute({
  path: '/api/protection/askReturn',
  summary: 'Asks to return when the time of a self-exclusion is over; it ends 24 hours later',
  auth: 'token',
  rate: 'write',
})

export const protectionChanges = defineRoute({
  path: '/api/protection/changes',
  summary: 'The player’s own log of what changed in his protection, newest first',
  auth: 'token',
  rate: 'read',
  request: z.object({ ...pageFields }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    list: z.array(
      z.object({
        id: z.int(),
        what: z.string(),
        createtime: unix,
        /** Of a limit: its name, and its amount in u before and after; null: none. */
        kind: z.nullable(kind),
        period: z.nullable(period),
        before: z.nullable(z.string()),
        after: z.nullable(z.string()),
        /** Of a break: when it ends. */
        until: z.nullable(unix),
        /** Of a passkey, the name that the player gave it; of another address, its first letter and its domain. */
        name: z.nullable(z.string()),
      }),
    ),
  }),
})
