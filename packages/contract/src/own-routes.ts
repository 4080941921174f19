/** A player's own account: his figures, his data, and closing it. */
import * as z from 'zod/mini'
import { id, password, sixDigits } from './fields.ts'
import { owedLog } from './receipt.ts'
import { money, unix } from './replies.ts'
import { defineDownload, defineRoute } from './route.ts'

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
  method: 'POST',
  path: '/api/user/figures',
  summary: 'What the player deposited, withdrew, staked and won: in all, in 12 months, in each',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
  reply: z.object({
    /** When the account was created. */
    since: unix,
    /** The time zone in which months begin and end. */
    time_zone: z.string(),
    lifetime: z.object(figuresOf),
    /** This month and the eleven before it. */
    year: z.object(figuresOf),
    /** The same twelve months, the oldest first. */
    months: z.array(z.object({ month: z.string(), ...figuresOf })),
  }),
})

export const ownData = defineRoute({
  method: 'POST',
  path: '/api/user/ownData',
  summary: 'Whether a file with all of the player’s data was asked for, and is ready',
  auth: 'token',
  rate: 'poll',
  request: z.object({}),
  reply: z.object({
    state: z.enum(['none', 'waiting', 'ready']),
    asked_at: z.nullable(unix),
    /** The end of the time in which it can be downloaded; after it, another may be requested. */
    until: z.nullable(unix),
    bytes: z.nullable(z.int()),
  }),
})

export const askOwnData = defineRoute({
  method: 'POST',
  path: '/api/user/askOwnData',
  summary: 'Asks for a file with all of the player’s data; a mail tells when it is ready',
  auth: 'token',
  rate: 'write',
  request: z.object({ password }),
  reply: z.null(),
})

export const ownDataFile = defineDownload({
  method: 'GET',
  path: '/api/user/ownDataFile',
  summary: 'The file with all of the player’s data, for its player alone: a ZIP of JSON and CSV',
  auth: 'token',
  rate: 'export',
  mediaType: 'application/zip',
  request: z.object({}),
})

export const closing = defineRoute({
  method: 'POST',
  path: '/api/user/closing',
  summary: 'What stands open before the player can close his account',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
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
  method: 'POST',
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
  reply: z.null(),
})

export const owed = defineRoute({
  method: 'POST',
  path: '/api/user/owed',
  summary: 'The proof that the player’s balance is in the last count of what the house owes',
  auth: 'token',
  rate: 'read',
  request: z.object({}),
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
    /** Null for an account that is younger than the count, or that it left out. */
    proof: z.nullable(
      z.object({
        leaf: z.string(),
        index: z.int(),
        path: z.array(z.object({ sum: z.string(), hash: z.string() })),
      }),
    ),
    /** Null until the count is in a signed state of the log, which takes seconds. */
    log: z.nullable(owedLog),
    /** When the account was created: one that is older than the count must be in it. */
    since: unix,
  }),
})
