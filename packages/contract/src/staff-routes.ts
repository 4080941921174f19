/** /api/staff: the calls of staff. Each is limited to some roles; each that changes something is audited. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import {
  centAmount,
  day,
  id,
  instant,
  optionalPayeeText,
  optionalText,
  password,
  paymentReference,
  sixDigits,
  text,
} from './fields.ts'
import { money, unix } from './replies.ts'
import * as house from './staff-house-routes.ts'
import { due, listPage, listRequest, turn } from './staff-list.ts'
import { freshProof, signedIn, tokenLocation } from './staff-own-routes.ts'
import { defineStaffRoute } from './staff-route.ts'
import { WITHDRAWAL_STATES } from './withdrawal-states.ts'

export const staffLogin = defineRoute({
  path: '/api/staff/login',
  summary: 'Signs a member of staff in, by password and a TOTP code or a recovery code',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({
    account: text({ max: 64 }),
    password,
    totp: z.optional(sixDigits),
    recovery_code: optionalText(64),
    ...tokenLocation,
  }),
  reply: signedIn,
})

export const staffLogout = defineStaffRoute({
  path: '/api/staff/logout',
  summary: 'Ends the staff session',
  action: 'own.session',
  rate: 'write',
})

export const RISK_HINTS = [
  'first',
  'payee_new',
  'payee_changed',
  'payee_replaced',
  'payee_shared',
  'device_shared',
  'network_shared',
  'little_play',
] as const

/** A fact about a withdrawal that staff should check, with its numbers. */
export const riskHint = z.object({
  /**
   * `first`: no withdrawal was approved before. `payee_new`, `payee_changed`: added within seven days before the
   * request, or by staff to a closed account (`at`). `payee_replaced`: another was saved since (`at`). `…_shared`:
   * `players` others have or had a card (or wallet, as the payee is) that the player has or had, a device, or a network
   * of the last 30 days; 100 stands for that many or more. `little_play`: less was staked, without what was refunded,
   * than deposited in the 90 days before.
   */
  kind: z.enum(RISK_HINTS),
  players: z.nullable(z.int()),
  /** Some of these players, ten at most, and none of a crowded device or network (`LINKED_MAX`); only in the call for one withdrawal. */
  others: z.array(z.object({ user_id: z.int(), username: z.string() })),
  at: z.nullable(unix),
  deposited: z.nullable(money),
  staked: z.nullable(money),
})
export type RiskHint = z.infer<typeof riskHint>

/** Why a transaction does not pay a withdrawal. */
export const PAYOUT_FAULTS = [
  'failed',
  'other_payee',
  'other_amount',
  'before_request',
  'sent_later',
] as const

export const staffWithdrawal = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  quantity: money,
  /** What earlier transactions paid of it; and what is left to be paid, or was returned: zero once it is paid. */
  paid_part: money,
  rest: money,
  state: z.enum(WITHDRAWAL_STATES),
  requested_at: unix,
  decided_at: z.nullable(unix),
  first_approved_by: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  reject_reason: z.nullable(z.string()),
  payout_reference: z.nullable(z.string()),
  /** The transactions or references that were named before and corrected, the latest first: they may have paid it too. */
  earlier_references: z.array(z.string()),
  /** Who recorded the payout, and who has named another transaction or reference since. */
  payout_recorded_by: z.nullable(z.string()),
  payout_corrected_by: z.nullable(z.string()),
  paid_at: z.nullable(unix),
  /** When it was sent, if it was recorded later, as after a freeze of its player. */
  sent_at: z.nullable(unix),
  /** Who has taken it to pay it by hand, and since when: nobody else records it. */
  taken_by: z.nullable(z.string()),
  taken_at: z.nullable(unix),
  /**
   * Of a payout to a wallet: whether its transaction has been read on the chain. `seen`: it pays this payee this amount;
   * `wrong`: `payout_fault` says why it does not.
   */
  payout_chain: z.nullable(z.enum(['awaited', 'seen', 'wrong'])),
  payout_fault: z.nullable(z.enum(PAYOUT_FAULTS)),
  /** Whether its transaction may still come, so that it cannot be paid again. */
  may_come: z.boolean(),
  /** Of `other_amount` and `sent_later`: what the transaction pays this payee. */
  seen_amount: money,
  /** The first of two persons who accept that it is more. */
  payout_accepted_by: z.nullable(z.string()),
  /** Whether it is in a batch for the bank whose answer is awaited. */
  at_bank: z.boolean(),
  /** Who is kept from paying it, since it was given back: he had it or gave it back. Another person releases it. */
  kept_from_paying: z.array(z.string()),
  /** When it was last said to be unpaid; null: nobody is kept from paying it. */
  denied_at: z.nullable(unix),
  reversed_by: z.nullable(z.string()),
  reversed_at: z.nullable(unix),
  /** The member of staff who requested it, for the rest of a closed account. */
  requested_by: z.nullable(z.string()),
  /** Why he requested it, and how he knows that the payee is the player's. */
  request_reason: z.nullable(z.string()),
  /** The newest note of staff about the player, such as that he wants it cancelled, and when it was written. */
  note: z.nullable(z.string()),
  noted_at: z.nullable(unix),
  /**
   * The payee: a card's number masked; a wallet's address in full, but shortened while it is to be paid, for all but the
   * caller who has taken it.
   */
  payee: z.object({
    kind: z.enum(['bank', 'wallet']),
    number: z.string(),
    label: z.string(),
    bank_name: z.string(),
    branch_code: z.string(),
    branch_name: z.string(),
  }),
  /** Whether it needs the approval of two people. */
  two_persons: z.boolean(),
  /** Whether the caller may take the next step; false: it waits for another person; null: for nobody. */
  yours: z.nullable(z.boolean()),
  /** Whether the player's account is frozen. */
  frozen: z.boolean(),
  /** Whether it is closed: what comes back stays booked until staff pay it out. */
  closed: z.boolean(),
  /**
   * Of a waiting or approved one that is not paid: until when a change to the account, by which its owner may have taken
   * it back from a thief, holds withdrawals. Until then it is not approved or sent.
   */
  hold_until: z.nullable(unix),
  /** Of the same: whether the player must set a new password first, which then holds withdrawals anew. */
  needs_password: z.boolean(),
  /** Whether it cannot be approved before his identity is accepted. */
  waits_for_identity: z.boolean(),
  /** The list contains them only for pending withdrawals; the call for one withdrawal always does. */
  risks: z.array(riskHint),
})
export type StaffWithdrawal = z.infer<typeof staffWithdrawal>

export const listWithdrawals = defineStaffRoute({
  path: '/api/staff/withdrawals',
  summary: 'Withdrawals, oldest waiting first, then newest first',
  action: 'withdrawals.read',
  /** `queue`: the usual order. */
  request: listRequest(['queue', 'id'], {
    state: z.optional(z.enum(WITHDRAWAL_STATES, { error: 'choice' })),
    turn,
    user_id: z.optional(id),
    kind: z.optional(z.enum(['bank', 'wallet'], { error: 'choice' })),
    amount_from: z.optional(centAmount),
    amount_until: z.optional(centAmount),
    /** The days on which it was requested, both inclusive. */
    from_day: z.optional(day),
    until_day: z.optional(day),
    /** Of those that wait: with this hint; or `none`: without one, and without a note since the request. */
    hint: z.optional(z.enum([...RISK_HINTS, 'none'], { error: 'choice' })),
    /**
     * The number of a withdrawal; its player's number or name; the last four characters of the payee's card or
     * address, or the whole address; or the reference of the payout.
     */
    q: optionalText(100),
  }),
  reply: listPage(staffWithdrawal),
})

export const oneWithdrawal = defineStaffRoute({
  path: '/api/staff/withdrawals/show',
  summary: 'One withdrawal',
  action: 'withdrawals.read',
  request: z.object({ id }),
  reply: staffWithdrawal,
})

export const withdrawalPayee = defineStaffRoute({
  path: '/api/staff/withdrawals/payee',
  summary:
    'The whole card number or address of a withdrawal, of one to be paid for its taker alone; that it was read is audited',
  action: 'withdrawals.payee',
  request: z.object({ id }),
  reply: z.object({ number: z.string() }),
})

export const approveWithdrawal = defineStaffRoute({
  path: '/api/staff/withdrawals/approve',
  summary: 'Approves a withdrawal; from the threshold on, two different people have to',
  action: 'withdrawals.decide',
  request: z.object({ id }),
  reply: z.object({ state: z.enum(['first_approval', 'approved']) }),
})

export const rejectWithdrawal = defineStaffRoute({
  path: '/api/staff/withdrawals/reject',
  summary: 'Rejects a withdrawal and returns the money',
  action: 'withdrawals.decide',
  request: z.object({ id, reason: text({ max: 200 }) }),
})

export const takePayment = defineStaffRoute({
  path: '/api/staff/withdrawals/take',
  summary: 'Takes an approved withdrawal to pay it by hand: nobody else records it meanwhile',
  action: 'withdrawals.pay',
  /** `taken_from`: the name of the person from whom it is taken over. */
  request: z.object({ id, taken_from: optionalText(64) }),
})

export const givePaymentBack = defineStaffRoute({
  path: '/api/staff/withdrawals/giveBack',
  summary: 'Gives an approved withdrawal back that the caller has taken and not paid',
  action: 'withdrawals.pay',
  request: z.object({ id }),
})

export const recordPayout = defineStaffRoute({
  path: '/api/staff/withdrawals/payout',
  summary: 'Records that the caller paid a withdrawal, with its transaction or bank reference',
  action: 'withdrawals.pay',
  /** `sent_at`: Unix seconds, of one whose player was frozen or whose account was changed since it was sent. */
  request: z.object({ id, reference: paymentReference, sent_at: z.optional(instant) }),
})

export const proposeReversal = defineStaffRoute({
  path: '/api/staff/withdrawals/proposeReversal',
  summary:
    'Proposes to return an approved withdrawal that cannot be paid; nobody pays it meanwhile',
  action: 'withdrawals.return',
  /** The player gets the reason after the return. */
  request: z.object({ id, reason: text({ max: 200 }) }),
})

export const requestRest = defineStaffRoute({
  path: '/api/staff/withdrawals/requestRest',
  summary:
    'Requests what is left in a closed account as a withdrawal, to a payee of its player; another person approves it',
  action: 'withdrawals.rest',
  /** `pay_id`: a saved pay method; without it the fields of a new one, which is saved. */
  request: z.object({
    user_id: id,
    pay_id: z.optional(id),
    kind: z.optional(z.enum(['bank', 'wallet'], { error: 'choice' })),
    /** A card's number, or a wallet's address. */
    number: optionalText(100),
    /** A card's holder, or a wallet's type. */
    label: optionalPayeeText(100),
    bank_name: optionalPayeeText(100),
    reason: text({ max: 200 }),
  }),
  reply: z.object({ id: z.int(), quantity: money }),
})
export type RequestRest = z.infer<typeof requestRest.request>

export const recordBankDeposit = defineStaffRoute({
  path: '/api/staff/bankDeposits/record',
  summary: "Records a bank deposit under the bank's own reference; another person confirms it",
  action: 'bankDeposits.record',
  request: z.object({
    user_id: id,
    money: centAmount,
    reference: paymentReference,
    /** The number of the latest deposit with this reference, if this is another transfer. */
    other_than: z.optional(id),
  }),
  reply: z.object({ id: z.int() }),
})

const bankAccountFields = z.object({
  bankname: z.string(),
  banknum: z.string(),
  bankxm: z.string(),
})

export const bankAccount = defineStaffRoute({
  path: '/api/staff/bankAccount',
  summary: 'The account that players send bank deposits to',
  action: 'bankAccount.read',
  reply: z.nullable(bankAccountFields),
})

export const setBankAccount = defineStaffRoute({
  path: '/api/staff/bankAccount/set',
  summary:
    'Proposes the account for bank deposits; without its fields none will be shown. Another owner confirms',
  action: 'bankAccount.set',
  request: z.object({
    bankname: optionalText(100),
    banknum: optionalText(40),
    bankxm: optionalText(100),
    /** The account that the proposer saw; absent if he saw none. If it is not so any more, the call is refused. */
    seen_bankname: optionalText(100),
    seen_banknum: optionalText(40),
    seen_bankxm: optionalText(100),
    reason: text({ max: 500 }),
    ...freshProof,
  }),
  reply: house.ownersDecision,
})

export const DIFFERENCE_KINDS = [
  'missing_in_ledger',
  'missing_on_chain',
  'amount_differs',
  'sent_later',
  'unmatched',
] as const

export const listChainDifferences = defineStaffRoute({
  path: '/api/staff/chainDifferences',
  summary: 'What the daily comparison of chain and ledger found, newest first',
  action: 'books.read',
  request: listRequest(['id'], {
    kind: z.optional(z.enum(DIFFERENCE_KINDS, { error: 'choice' })),
    due,
    /** The beginning of the transaction. */
    q: optionalText(100),
  }),
  reply: listPage(
    z.object({
      id: z.int(),
      found_at: unix,
      kind: z.enum(DIFFERENCE_KINDS),
      tx_id: z.string(),
      log_index: z.int(),
      /** The decision of staff about an `unmatched` transfer. */
      decision: z.nullable(z.enum(['assigned', 'dismissed'])),
      /** The block, numbers of the player and of a held deposit, and the amounts. */
      details: z.record(z.string(), z.unknown()),
      /** Whether it waits for an explanation of staff. */
      to_explain: z.boolean(),
      explanation: z.nullable(z.string()),
      explained_by: z.nullable(z.string()),
      explained_at: z.nullable(unix),
    }),
  ),
})

export const explainDifference = defineStaffRoute({
  path: '/api/staff/chainDifferences/explain',
  summary: 'Keeps why a difference needs nothing more; the start page counts it no longer',
  action: 'transfers.decide',
  request: z.object({ id, reason: text({ max: 500 }) }),
})
