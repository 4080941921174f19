/** /api/staff/money: batches of withdrawals for the bank, and the bank's answers. */
import * as z from 'zod/mini'
import { id, instant, optionalChoice, optionalText, paymentReference, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { listPage, listRequest, turn } from './staff-list.ts'
import { defineStaffDownload, defineStaffRoute } from './staff-route.ts'

export const BATCH_KINDS = ['bank', 'wallet'] as const
export const BATCH_STATES = ['open', 'done', 'cancelled'] as const
export const PAYMENT_STATES = ['sent', 'paid', 'failed'] as const

/** The most withdrawals of one batch. */
export const BATCH_MAX = 1_000

export const bankBatch = z.object({
  id: z.int(),
  /** What it pays to: cards, by the bank, or wallets, by the operator's own. */
  kind: z.enum(BATCH_KINDS),
  /** `open`: the bank has not answered all of it. */
  state: z.enum(BATCH_STATES),
  payments: z.int(),
  /** Of the payments: how many the bank has paid, and how many it has not. */
  paid: z.int(),
  failed: z.int(),
  /** The sum of all payments. */
  quantity: money,
  made_by: z.string(),
  made_at: unix,
  /** Who has taken the batch with its file; null: nobody, so that the bank has not got it. */
  file_taken_by: z.nullable(z.string()),
  ended_by: z.nullable(z.string()),
  ended_at: z.nullable(unix),
  cancel_reason: z.nullable(z.string()),
})
export type BankBatch = z.infer<typeof bankBatch>

const bankPayment = z.object({
  withdrawal_id: z.int(),
  user_id: z.int(),
  username: z.string(),
  quantity: money,
  /** A card's number masked, with its bank. */
  payee: z.string(),
  state: z.enum(PAYMENT_STATES),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  answered_by: z.nullable(z.string()),
  answered_at: z.nullable(unix),
  /** Who released it into the next batch after the bank had not paid it. */
  released_by: z.nullable(z.string()),
  /** When it was last said to be unpaid, while it waits to be released; null: it does not. */
  denied_at: z.nullable(unix),
  /** While it is `sent`: why the caller’s file leaves it out. It drops out of a batch whose file nobody took before. */
  obstacle: z.nullable(z.enum(['account_frozen', 'withdrawal_on_hold', 'approved_by_you'])),
})
export type BankPayment = z.infer<typeof bankPayment>

const paymentOfOne = z.object({
  batch_id: z.int(),
  ...z.pick(bankPayment, {
    state: true,
    reference: true,
    reason: true,
    answered_by: true,
    answered_at: true,
  }).shape,
})
export type PaymentOfOne = z.infer<typeof paymentOfOne>

export const withdrawalPayments = defineStaffRoute({
  path: '/api/staff/money/withdrawalPayments',
  summary: 'The batches that a withdrawal was in, and what was answered of it, the latest first',
  action: 'withdrawals.read',
  request: z.object({ id }),
  reply: z.object({ list: z.array(paymentOfOne) }),
})

export const listBankBatches = defineStaffRoute({
  path: '/api/staff/money/bankBatches',
  summary: 'Batches for the bank, newest first',
  action: 'withdrawals.read',
  request: listRequest(['id'], {
    turn,
    state: z.optional(z.enum(BATCH_STATES, { error: 'choice' })),
    kind: z.optional(z.enum(BATCH_KINDS, { error: 'choice' })),
    /** The number of a batch, or of a withdrawal that is in it. */
    q: optionalText(100),
  }),
  reply: listPage(bankBatch),
})

export const oneBankBatch = defineStaffRoute({
  path: '/api/staff/money/bankBatch',
  summary: 'One batch with its payments',
  action: 'withdrawals.read',
  request: z.object({ id }),
  reply: z.extend(bankBatch, {
    list: z.array(bankPayment),
    file_taken_at: z.nullable(unix),
    /** Whether this person has left, or may not pay any more. */
    file_taker_left: z.boolean(),
  }),
})

export const makeBankBatch = defineStaffRoute({
  path: '/api/staff/money/makeBankBatch',
  summary:
    'Makes a batch of the approved withdrawals that are in none, at most 1,000, one to each wallet',
  action: 'withdrawals.pay',
  /** `kind`: `bank` without it. */
  request: z.object({ kind: z.optional(z.enum(BATCH_KINDS, { error: 'choice' })) }),
  /**
   * `left_…`: how many it leaves out: of frozen players, on hold by a change of the account, proposed to be returned,
   * taken to be paid by hand, and said to be unpaid by one person and not released by another.
   */
  reply: z.object({
    id: z.int(),
    payments: z.int(),
    left_frozen: z.int(),
    left_held: z.int(),
    left_reversing: z.int(),
    left_taken: z.int(),
    left_unreleased: z.int(),
  }),
})

export const answerBankBatch = defineStaffRoute({
  path: '/api/staff/money/answerBankBatch',
  summary: 'Takes the bank’s answer file (CSV) of a batch: all of its lines, or none',
  action: 'withdrawals.pay',
  rate: 'upload',
  file: 'file',
  /** `check`: nothing is recorded, and the answer has all wrong lines. */
  request: z.object({ id, check: optionalChoice([1]) }),
  /**
   * The numbers of payments that this file reports as paid and as failed, of lines that an earlier file already
   * contained, and of payments left for another person, because the sender approved these withdrawals.
   */
  reply: z.object({
    paid: z.int(),
    failed: z.int(),
    same: z.int(),
    left: z.int(),
    /** The sum of what is paid. */
    quantity: money,
    /** Of a check: the wrong lines, 100 at most. */
    faults: z.array(z.object({ line: z.int(), problem: z.string() })),
  }),
})

export const cancelBankBatch = defineStaffRoute({
  path: '/api/staff/money/cancelBankBatch',
  summary: 'Cancels a batch that the bank has not answered, by another person than its maker',
  action: 'withdrawals.pay',
  request: z.object({ id, reason: text({ max: 200 }) }),
})

export const releaseBankBatch = defineStaffRoute({
  path: '/api/staff/money/releaseBankBatch',
  summary: 'Lets all withdrawals of a cancelled batch go into the next batch, by another person',
  action: 'withdrawals.pay',
  request: z.object({ id }),
})

export const releaseBankPayment = defineStaffRoute({
  path: '/api/staff/money/releaseBankPayment',
  summary:
    'Lets a withdrawal that one person said to be unpaid go into the next batch, by another person',
  action: 'withdrawals.pay',
  /** `denied_at`: as it was seen; what was said to be unpaid later is not released. */
  request: z.object({ id, denied_at: instant }),
})

export const correctPayout = defineStaffRoute({
  path: '/api/staff/money/correctPayout',
  summary:
    'Names another transaction for a payout that the chain does not have, or another reference for one by a bank, by another person',
  action: 'withdrawals.pay',
  /** `seen_reference`: that of the payment that the caller has seen; another one is left as it is. */
  request: z.object({
    id,
    reference: paymentReference,
    seen_reference: paymentReference,
    reason: text({ max: 200 }),
  }),
})

export const reopenPayout = defineStaffRoute({
  path: '/api/staff/money/reopenPayout',
  summary:
    'Says that the chain does not have the transaction of a payout, or that the bank sent it back, by another person: it is to be paid again',
  action: 'withdrawals.pay',
  /** `seen_reference`: that of the payment that the caller has seen; another one is left as it is. */
  request: z.object({ id, seen_reference: paymentReference, reason: text({ max: 200 }) }),
})

export const acceptPayout = defineStaffRoute({
  path: '/api/staff/money/acceptPayout',
  summary:
    'Counts another amount that a payout’s transaction paid to its payee, by another person: of less, the rest is to be paid; of more, two persons accept it',
  action: 'withdrawals.pay',
  /** `reference`: the transaction that the caller has seen. */
  request: z.object({ id, reference: paymentReference, reason: text({ max: 200 }) }),
  reply: z.object({ state: z.enum(['part', 'first_approval', 'accepted']) }),
})

export const bankBatchFile = defineStaffDownload({
  path: '/api/staff/money/bankBatchFile',
  summary:
    'Takes a batch: what the bank has to pay of it, as CSV with whole card numbers; that it was read is audited',
  action: 'withdrawals.export',
  mediaType: 'text/csv',
  /** `taken_from`: the name of the person from whom it is taken over. */
  request: z.object({ id, taken_from: optionalText(64) }),
})
