/** /api/staff/money: the books: a trial balance of any day, and the chain against the ledger. */
import * as z from 'zod/mini'
import { day } from './fields.ts'
import { money, unix } from './replies.ts'
import { defineStaffDownload, defineStaffRoute } from './staff-route.ts'

const accountBalance = z.object({
  /** `cash` and `held` of all players, and the house's accounts `house:…`; with robots `robots:…`. */
  account: z.string(),
  /** The sums of credits to the account and debits from it. */
  debit: money,
  credit: money,
  /** Debit minus credit. */
  balance: money,
  kinds: z.array(z.object({ kind: z.string(), debit: money, credit: money })),
})
export type AccountBalance = z.infer<typeof accountBalance>

export const trialBalance = defineStaffRoute({
  path: '/api/staff/money/trialBalance',
  summary: 'All accounts at the end of a day in the operator’s time zone; without a day, of today',
  action: 'books.read',
  request: z.object({ day: z.optional(day) }),
  reply: z.object({
    day: z.string(),
    /** When the day ends. */
    until: unix,
    list: z.array(accountBalance),
    /** Of all accounts; they are equal. */
    debit: money,
    credit: money,
  }),
})

export const trialBalanceCsv = defineStaffDownload({
  path: '/api/staff/money/trialBalance/csv',
  summary:
    'The trial balance of a day as a table for a spreadsheet: a line for each account and kind',
  action: 'books.read',
  mediaType: 'text/csv',
  request: z.object({ day: z.optional(day) }),
})

export const chainAgainstBooks = defineStaffRoute({
  path: '/api/staff/money/chainAgainstBooks',
  summary: 'What came to the operator’s addresses on the chain, against what is booked of it',
  action: 'books.read',
  reply: z.object({
    received: money,
    /** The received amounts: credited to a member or held for him, and unmatched. */
    matched: money,
    unmatched: money,
    /** Deposits in the ledger without those by bank, less what was taken back. */
    booked: money,
    /** Matched minus booked: zero, unless the books are wrong. */
    difference: money,
    /** The last block that was read. */
    block: z.nullable(z.int()),
    /** The differences of the daily comparison that nobody has explained, without unmatched transfers. */
    differences: z.int(),
  }),
})
