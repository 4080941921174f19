/** /api/staff/start: the needs that wait for staff and the day's figures; and /api/staff/alerts, which go out by mail. */
import * as z from 'zod/mini'
import { id, orFault, text } from './fields.ts'
import { money, unix } from './replies.ts'
import type { StaffAction } from './staff-actions.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

/** The faults that are shown before all tasks. */
export const FIRST_FAULTS = [
  'clocks_apart',
  'draws_late',
  'log_waits',
  'log_unwitnessed',
  'chain_behind',
  'chain_uncompared',
  'mail_away',
  'books_unchecked',
  'owed_uncounted',
  'reserves_short',
  'returns_unlikely',
  'audit_unsigned',
  'audit_broken',
  'jobs_failed',
  'codes_used_up',
  'staff_codes_guessed',
  'seeds_short',
] as const
export type Fault = (typeof FIRST_FAULTS)[number]

/** The needs, in the order in which they are shown. */
export const NEEDS = [
  ...FIRST_FAULTS,
  'withdrawals_waiting',
  'payouts_due',
  'batches_open',
  'payouts_unseen',
  'payouts_wrong',
  'transfers_unmatched',
  'refunds_due',
  'rests_returned',
  'proposals_waiting',
  'identities_waiting',
  'accounts_alike',
  'accounts_frozen',
  'bank_balance_old',
  'differences_found',
  'stops',
] as const
export type Need = (typeof NEEDS)[number]

/** The needs that are faults of the installation, not only waiting tasks. */
export const FAULTS = [
  ...FIRST_FAULTS,
  ...(['payouts_wrong', 'differences_found'] as const),
] as const satisfies readonly Need[]

export const startNeeds = defineStaffRoute({
  path: '/api/staff/start/needs',
  summary: 'What needs a person now, as far as the caller may see it',
  action: 'start.needs',
  rate: 'poll',
  reply: z.object({
    needs: z.array(
      z.object({
        need: z.enum(NEEDS),
        /** Whether the caller can do these himself; false: they wait for other persons, who are counted apart. */
        yours: z.boolean(),
        count: z.int(),
        /** The time since which the oldest waits. */
        since: z.nullable(unix),
        /** The number of them that wait for more than an hour, and for more than a day. */
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
  /** The standard deviation of the payouts over all possible draws. */
  deviation: money,
  bets: z.int(),
})
export type WireFigures = z.infer<typeof figures>

export const startFigures = defineStaffRoute({
  path: '/api/staff/start/figures',
  summary: 'The figures of today’s settled rounds, of yesterday’s and of those a week ago',
  action: 'start.figures',
  rate: 'poll',
  reply: z.object({
    /** Today, yesterday and a week ago, by the operator's game days. */
    days: z.array(
      z.object({
        day: z.string(),
        /** Up to the present time of day; only of players, without robots. */
        so_far: figures,
        players: z.int(),
        deposits: money,
        withdrawals: money,
        /** The stakes of the operator's robots. */
        robots: money,
        /** Of the rounds that ended in each hour since the day's beginning that is over. */
        hours: z.array(figures),
      }),
    ),
    /** Today, by game and room: each with bets on one of the three days. */
    rooms: z.array(
      z.extend(figures, {
        game: z.string(),
        room: z.string(),
        room_id: z.int(),
        /** The turnover of yesterday and of a week ago, up to the present time of day. */
        before: z.array(money),
      }),
    ),
  }),
})

const shiftNote = z.object({ id: z.int(), at: unix, by: z.string(), text: z.string() })
export type ShiftNote = z.infer<typeof shiftNote>

export const listShiftNotes = defineStaffRoute({
  path: '/api/staff/shiftNotes',
  summary: 'What shifts leave to the next, newest first',
  action: 'shiftNotes.read',
  request: listRequest(['id'], {}),
  reply: listPage(shiftNote),
})

export const writeShiftNote = defineStaffRoute({
  path: '/api/staff/shiftNotes/write',
  summary: 'Writes a note for the next shift; notes are not changed',
  action: 'shiftNotes.write',
  request: z.object({ text: text({ max: 500 }) }),
})

export const shownSettings = defineStaffRoute({
  path: '/api/staff/settings',
  summary:
    'The terms that hold, and other settings of the process that answers, by their names in the environment; no secrets',
  action: 'settings.read',
  reply: z.object({ list: z.array(z.object({ name: z.string(), value: z.string() })) }),
})

/** The kinds of alerts, and the action that a role must allow to be told of one. */
export const ALERTS = {
  withdrawal_late: 'withdrawals.read',
  withdrawal_large: 'withdrawals.read',
  second_person: 'proposals.read',
  betting_stopped: 'stops.read',
  /** The chain is behind, or a draw is late. */
  chain_behind: 'stops.read',
  check_failed: 'books.read',
} as const satisfies Record<string, StaffAction>
export type AlertKind = keyof typeof ALERTS
export const ALERT_KINDS = Object.keys(ALERTS) as [AlertKind, ...AlertKind[]]

/** Kinds of alerts, separated by commas. */
const alertKinds = z.pipe(
  text({ max: 200 }),
  orFault<string, AlertKind[]>('choice', (value) => {
    const named = value.split(',')
    const kinds = ALERT_KINDS.filter((kind) => named.includes(kind))
    return kinds.length === named.length ? kinds : undefined
  }),
)

export const ownAlerts = defineStaffRoute({
  path: '/api/staff/alerts',
  summary: 'Which alerts are mailed to the caller, of those that his role may be told of',
  action: 'own.session',
  reply: z.object({
    list: z.array(z.object({ kind: z.enum(ALERT_KINDS), chosen: z.boolean() })),
  }),
})

export const chooseAlerts = defineStaffRoute({
  path: '/api/staff/alerts/choose',
  summary: 'Chooses the alerts that are mailed to the caller',
  action: 'own.session',
  rate: 'write',
  request: z.object({ kinds: z.optional(alertKinds) }),
})

const webhook = z.object({
  id: z.int(),
  url: z.string(),
  kinds: z.array(z.enum(ALERT_KINDS)),
  made_by: z.string(),
  made_at: unix,
  /** Since when its receiver has taken nothing, and the last reason. */
  failed_since: z.nullable(unix),
  failure: z.nullable(z.string()),
  /** How many deliveries wait for it. */
  waiting: z.int(),
})
export type WireWebhook = z.infer<typeof webhook>

export const listWebhooks = defineStaffRoute({
  path: '/api/staff/alerts/webhooks',
  summary: 'The addresses that alerts are sent to by HTTP',
  action: 'alerts.read',
  reply: z.array(webhook),
})

export const addWebhook = defineStaffRoute({
  path: '/api/staff/alerts/webhooks/add',
  summary: 'Adds an address that alerts are sent to; the reply shows its secret once',
  action: 'alerts.setWebhooks',
  request: z.object({
    url: text({ max: 500 }),
    kinds: alertKinds,
  }),
  reply: z.object({ id: z.int(), secret: z.string() }),
})

export const removeWebhook = defineStaffRoute({
  path: '/api/staff/alerts/webhooks/remove',
  summary: 'Removes such an address; alerts on their way to it are dropped',
  action: 'alerts.setWebhooks',
  request: z.object({ id }),
})
