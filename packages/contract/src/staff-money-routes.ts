/**
 * /api/staff/money: held deposits and their refunds. The other calls of the console's area of money are in
 * staff-bank-routes.ts (batches), staff-books-routes.ts, staff-reserve-routes.ts and staff-proposal-routes.ts
 * (adjustments). Those of withdrawals, of bank deposits and of differences to the chain are in staff-routes.ts, those of
 * unmatched transfers in staff-transfer-routes.ts; the server's modules withdrawals and deposits answer them.
 */
import * as z from 'zod/mini'
import { id, instant, optionalText, paymentReference, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { due, listPage, listRequest, turn } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

export const HELD_STATES = [
  ...(['held', 'refunding', 'refund_awaited', 'refund_wrong', 'refund_returned'] as const),
  ...(['taking_back', 'released', 'refunded', 'taken_back'] as const),
] as const

export const heldDeposit = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  quantity: money,
  /** Why it was held: a limit of deposits, an exclusion, or a review of the account. */
  because: z.enum(['limit', 'excluded', 'review']),
  by: z.enum(['chain', 'bank']),
  /** Its origin, to which it is paid back: the address, or the reference of the bank. */
  origin: z.string(),
  /**
   * The reference of its posting: `usdt:transaction:log`, of a transfer that staff assigned
   * `usdt:transaction:log:number`, or `bank:number`. The number is that of the proposal.
   */
  reference: z.string(),
  held_at: unix,
  /** When its player asked to have it paid back. */
  asked_back_at: z.nullable(unix),
  /**
   * `refunding`: proposed to be paid back, and not confirmed yet. `refund_awaited`: no solid block has shown the
   * transaction of the refund yet. `refund_wrong`: the chain does not have it, or it pays something else;
   * `refund_returned`: the bank sent the refund back. Then another can be proposed. `taking_back`: proposed to be taken
   * back, as booked by mistake.
   */
  state: z.enum(HELD_STATES),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
  /** The reference of the payment by which it was paid back. */
  refund_reference: z.nullable(z.string()),
  /** Those that were named before, the latest first: they may have paid it back too. */
  earlier_references: z.array(z.string()),
  /** Who named that reference instead of the one that was recorded first. */
  refund_corrected_by: z.nullable(z.string()),
  /** Whether the chain still has its ten minutes to show that payment: no other is named meanwhile. */
  chain_has_time: z.boolean(),
  /** The address that it was paid back to, if not to the one it came from. */
  refund_to: z.nullable(z.string()),
  /** Who has taken its refund to pay it, and since when: nobody else records it. */
  taken_by: z.nullable(z.string()),
  taken_at: z.nullable(unix),
  /** Who is kept from paying its refund, since it was given back: he had it or gave it back. Another pays or releases it. */
  kept_from_paying: z.array(z.string()),
  /** When it was last said to be unpaid; null: nobody is kept from paying it. */
  denied_at: z.nullable(unix),
})
export type HeldDeposit = z.infer<typeof heldDeposit>

export const listHeldDeposits = defineStaffRoute({
  path: '/api/staff/money/heldDeposits',
  summary: 'Deposits that came against a limit, an exclusion or a review, newest first',
  action: 'heldDeposits.read',
  request: listRequest(['id'], {
    state: z.optional(z.enum(HELD_STATES, { error: 'choice' })),
    turn,
    due,
    user_id: z.optional(id),
    /** The number of a held deposit; its player's number or name; the bank's reference; or the whole transaction. */
    q: optionalText(100),
  }),
  reply: listPage(heldDeposit),
})

export const oneHeldDeposit = defineStaffRoute({
  path: '/api/staff/money/heldDeposit',
  summary: 'One held deposit',
  action: 'heldDeposits.read',
  request: z.object({ id }),
  reply: heldDeposit,
})

export const proposeRefund = defineStaffRoute({
  path: '/api/staff/money/proposeRefund',
  summary:
    'Proposes to pay a held deposit back to where it came from, or to another address of its player; it is not released meanwhile',
  action: 'heldDeposits.propose',
  /** `payee`: of a deposit from the chain, the other address; without it the one it came from. */
  request: z.object({ id, payee: optionalText(100), reason: text({ max: 500 }) }),
})

export const takeRefund = defineStaffRoute({
  path: '/api/staff/money/takeRefund',
  summary:
    'Takes the proposed refund of a held deposit to pay it: nobody else records it meanwhile',
  action: 'withdrawals.pay',
  /** `taken_from`: the name of the person from whom it is taken over. */
  request: z.object({ id, taken_from: optionalText(64) }),
})

export const giveRefundBack = defineStaffRoute({
  path: '/api/staff/money/giveRefundBack',
  summary: 'Gives the refund of a held deposit back that the caller has taken and not paid',
  action: 'withdrawals.pay',
  request: z.object({ id }),
})

export const releaseRefund = defineStaffRoute({
  path: '/api/staff/money/releaseRefund',
  summary:
    'Lets everybody pay the refund of a held deposit again that was given back, or the deposit be credited, by another person',
  action: 'withdrawals.pay',
  /** `denied_at`: as it was seen; what was given back later is not released. */
  request: z.object({ id, denied_at: instant }),
})

export const correctRefund = defineStaffRoute({
  path: '/api/staff/money/correctRefund',
  summary:
    'Names another transaction for the refund of a held deposit that the chain does not show, or another reference for one by a bank, by another person',
  action: 'withdrawals.pay',
  /** `seen_reference`: that of the payment that the caller has seen; another one is left as it is. */
  request: z.object({
    id,
    reference: paymentReference,
    seen_reference: paymentReference,
    reason: text({ max: 200 }),
  }),
})

export const returnRefund = defineStaffRoute({
  path: '/api/staff/money/returnRefund',
  summary:
    'Says that the bank sent the refund of a held deposit back, by another person: it is to be paid back again',
  action: 'withdrawals.pay',
  /** `seen_reference`: that of the payment that the caller has seen; another one is left as it is. */
  request: z.object({ id, seen_reference: paymentReference, reason: text({ max: 200 }) }),
})
