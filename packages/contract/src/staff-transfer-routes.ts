/** /api/staff: unmatched transfers of USDT. One person proposes the owner, another confirms. */
import * as z from 'zod/mini'
import { count, id, optionalText, required, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { listPage, listRequest, turn } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

/** `waiting` for a proposal, `proposed` but not confirmed, or settled as one of the last two. */
export const UNMATCHED_STATES = ['waiting', 'proposed', 'assigned', 'dismissed'] as const

/** A transfer, identified by its transaction and the index of its log in that. */
const transferKey = {
  tx_id: z
    .string({ error: required })
    .check(
      z.trim(),
      z.toLowerCase(),
      z.maxLength(64, { error: 'transaction_id', abort: true }),
      z.regex(/^[0-9a-f]{64}$/, { error: 'transaction_id' }),
    ),
  log_index: count.check(z.refine((number) => number <= 2_147_483_647, { error: 'number' })),
}

export const unmatchedTransfer = z.object({
  tx_id: z.string(),
  log_index: z.int(),
  block: z.int(),
  from: z.string(),
  /** Whether the sender is a deposit address of the house: then it is the house's own money, and of no member. */
  ours: z.boolean(),
  to: z.string(),
  quantity: money,
  createtime: unix,
  /** The page of the transaction in the chain's explorer; null on a local chain. */
  explorer: z.nullable(z.string()),
  state: z.enum(UNMATCHED_STATES),
  /** The number of the open or confirmed proposal of its owner; null if there is none. */
  proposal: z.nullable(z.int()),
  user_id: z.nullable(z.int()),
  username: z.nullable(z.string()),
  /** Of the proposal, or of the dismissal. */
  reason: z.nullable(z.string()),
  proposed_by: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
})
export type WireUnmatchedTransfer = z.infer<typeof unmatchedTransfer>

export const listUnmatchedTransfers = defineStaffRoute({
  path: '/api/staff/unmatchedTransfers',
  summary:
    'USDT that reached an address of ours and is of no member, newest first; without state and text what is not settled',
  action: 'transfers.read',
  request: listRequest(['block'], {
    turn,
    state: z.optional(z.enum(UNMATCHED_STATES, { error: 'choice' })),
    /** The beginning of the transaction, or the whole address of the sender or receiver. */
    q: optionalText(100),
  }),
  reply: listPage(unmatchedTransfer),
})

export const oneUnmatchedTransfer = defineStaffRoute({
  path: '/api/staff/unmatchedTransfers/show',
  summary: 'One transfer of no member that reached an address of ours',
  action: 'transfers.read',
  request: z.object(transferKey),
  reply: unmatchedTransfer,
})

export const assignTransfer = defineStaffRoute({
  path: '/api/staff/unmatchedTransfers/assign',
  summary: 'Proposes whose an unmatched transfer is, and why; another person confirms it',
  action: 'transfers.propose',
  request: z.object({ ...transferKey, user_id: id, note: text({ max: 200 }) }),
  reply: z.object({ id: z.int() }),
})

export const dismissTransfer = defineStaffRoute({
  path: '/api/staff/unmatchedTransfers/dismiss',
  summary: "Dismisses an unmatched transfer as nobody's, with a proposal that is open",
  action: 'transfers.decide',
  request: z.object({ ...transferKey, reason: text({ max: 200 }) }),
})

export const reopenTransfer = defineStaffRoute({
  path: '/api/staff/unmatchedTransfers/reopen',
  summary: 'Takes a dismissal back: the transfer waits again',
  action: 'transfers.decide',
  request: z.object({ ...transferKey, reason: text({ max: 200 }) }),
})
