/** A player's own account: his figures, his data, and closing it. */
import * as z from 'zod/mini'
import { defineDownload, defineRoute } from './define-route.ts'
import { id, password, required, sixDigits, tick } from './fields.ts'
import { PUSH_TOPICS } from './push-topics.ts'
import { owedLog } from './receipt.ts'
import { money, unix } from './replies.ts'

const figuresOf = {
  deposited: money,
  withdrawn: money,
  /** Deposits minus withdrawals. */
  net_deposited: money,
  staked: money,
  won: money,
  /** Payouts minus stakes. */
  net: money,
}

export const figures = defineRoute({
  path: '/api/user/figures',
  summary: 'What the player deposited, withdrew, staked and won: in all, in 12 months, in each',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    /** When the account was created. */
    since: unix,
    lifetime: z.object(figuresOf),
    /** This month and the eleven before it. */
    year: z.object(figuresOf),
    /** The same twelve months, the oldest first. */
    months: z.array(z.object({ month: z.string(), ...figuresOf })),
  }),
})

export const ownData = defineRoute({
  path: '/api/user/ownData',
  summary: 'Whether a file with all of the player’s data was asked for, and is ready',
  auth: 'token',
  rate: 'poll',
  reply: z.object({
    state: z.enum(['none', 'waiting', 'ready']),
    /** The end of the time in which it can be downloaded; after it, another may be requested. */
    until: z.nullable(unix),
    bytes: z.nullable(z.int()),
  }),
})

export const askOwnData = defineRoute({
  path: '/api/user/askOwnData',
  summary: 'Asks for a file with all of the player’s data; a mail tells when it is ready',
  auth: 'token',
  rate: 'write',
  request: z.object({ password }),
})

export const ownDataFile = defineDownload({
  path: '/api/user/ownDataFile',
  summary: 'The file with all of the player’s data, after a proof: a ZIP of JSON and CSV',
  auth: 'token',
  mediaType: 'application/zip',
})

export const closing = defineRoute({
  path: '/api/user/closing',
  summary: 'What stands open before the player can close his account',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    /** Stakes of bets that run. */
    running: money,
    /** Withdrawals that are not paid yet. */
    withdrawing: money,
    /** Deposits that are held. */
    held: money,
    balance: money,
    /** The smallest withdrawal; a lower balance does not prevent closing. */
    withdraw_min: money,
    may_close: z.boolean(),
    /** The number of days after which the stored data no longer identifies the player. */
    kept_days: z.int(),
  }),
})

export const closeAccount = defineRoute({
  path: '/api/user/closeAccount',
  summary: 'Closes the account for good, when nothing stands open; all sessions end',
  auth: 'token',
  rate: 'write',
  request: z.object({
    password,
    /** The pay method by which a balance below the smallest withdrawal is paid out; absent: it stays booked. */
    pay_id: z.optional(id),
    /** With pay_id, as for any withdrawal. */
    security_code: z.optional(sixDigits),
  }),
})

/** As the browser made it; only its push service and the sender know it. */
const pushEndpoint = z
  .string({ error: required })
  .check(
    z.maxLength(1_000, { error: 'too_long' }),
    z.regex(/^https[:]\/\/[a-z0-9.-]+\/[\x21-\x7e]*$/, { error: 'invalid' }),
  )

export const push = defineRoute({
  path: '/api/user/push',
  summary: 'What the player is told of on his devices while the app is closed',
  auth: 'token',
  rate: 'read',
  /** `endpoint`: that of the browser which asks, if it has one. */
  request: z.object({ endpoint: z.optional(pushEndpoint) }),
  reply: z.object({
    /** The sender's public key, for `PushManager.subscribe`, in base64url. */
    key: z.string(),
    topics: z.array(z.enum(PUSH_TOPICS)),
    amounts: z.boolean(),
    /** Whether the asking browser is among the player's devices that are told. */
    here: z.boolean(),
    /** How many these are. */
    devices: z.int(),
  }),
})

export const subscribePush = defineRoute({
  path: '/api/user/subscribePush',
  summary: 'Has this browser told of what the player chose, until he signs out of it',
  auth: 'token',
  rate: 'write',
  request: z.object({
    endpoint: pushEndpoint,
    /** The browser's public key: an uncompressed point of P-256, in base64url. */
    p256dh: z
      .string({ error: required })
      .check(z.maxLength(87, { error: 'too_long' }), z.regex(/^B[\w-]{86}$/, { error: 'invalid' })),
    /** Its secret of 16 bytes, in base64url. */
    auth: z
      .string({ error: required })
      .check(z.maxLength(22, { error: 'too_long' }), z.regex(/^[\w-]{22}$/, { error: 'invalid' })),
  }),
})

export const unsubscribePush = defineRoute({
  path: '/api/user/unsubscribePush',
  summary: 'Has a browser told of nothing any more',
  auth: 'token',
  rate: 'write',
  request: z.object({ endpoint: pushEndpoint }),
})

export const choosePush = defineRoute({
  path: '/api/user/choosePush',
  summary: 'Chooses what the player is told of, and whether with the amount',
  auth: 'token',
  rate: 'write',
  request: z.object({
    deposit: tick,
    withdrawal: tick,
    sign_in: tick,
    support: tick,
    amounts: tick,
  }),
})

export const owed = defineRoute({
  path: '/api/user/owed',
  summary: 'The proof that the player’s balance is in the last count of what the house owes',
  auth: 'token',
  rate: 'read',
  reply: z.object({
    player_id: z.int(),
    /** As in the public log; null before the first count. Amounts here and below are whole micro-units. */
    count: z.nullable(
      z.object({
        number: z.int(),
        counted_at: unix,
        size: z.int(),
        root: z.string(),
        total: z.string(),
      }),
    ),
    /** Null for an account that is younger than the count, or to which nothing was owed. */
    proof: z.nullable(
      z.object({
        leaf: z.string(),
        index: z.int(),
        path: z.array(z.object({ sum: z.string(), hash: z.string() })),
      }),
    ),
    /** Null until the count is in a signed state of the log, which takes seconds. */
    log: z.nullable(owedLog),
    /** When the account was created: one that is older than the count must be in it, if anything was owed to it. */
    since: unix,
  }),
})
