/** /api/staff/money: bonuses and corrections of balances, proposed by one person and confirmed by another. */
import * as z from 'zod/mini'
import { centAmount, id, optionalText, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

/** A gift, or a correction up or down. */
export const ADJUSTMENT_KINDS = ['bonus', 'credit', 'debit'] as const
export const ADJUSTMENT_STATES = ['proposed', 'confirmed', 'refused', 'withdrawn'] as const

export const adjustment = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  kind: z.enum(ADJUSTMENT_KINDS),
  /** Without a sign: a debit takes it. */
  quantity: money,
  /** The player reads it. */
  reason: z.string(),
  state: z.enum(ADJUSTMENT_STATES),
  proposed_by: z.string(),
  proposed_at: unix,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
  /** Why it was refused or withdrawn. */
  refuse_reason: z.nullable(z.string()),
  /** The player's free balance now. */
  balance: money,
})
export type Adjustment = z.infer<typeof adjustment>

export const listAdjustments = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/adjustments',
  summary: 'Bonuses and corrections of balances, newest first',
  action: 'adjustments.read',
  rate: 'read',
  request: listRequest(['id'], {
    state: z.optional(z.enum(ADJUSTMENT_STATES, { error: 'choice' })),
    kind: z.optional(z.enum(ADJUSTMENT_KINDS, { error: 'choice' })),
    user_id: z.optional(id),
    /** The number of an adjustment; its player's number or name; or the member of staff who proposed it. */
    q: optionalText(100),
  }),
  reply: listPage(adjustment),
})

export const oneAdjustment = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/adjustment',
  summary: 'One bonus or correction',
  action: 'adjustments.read',
  rate: 'read',
  request: z.object({ id }),
  reply: adjustment,
})

export const adjustmentLimits = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/adjustmentLimits',
  summary: 'How much each role may propose or confirm for one player within 24 hours',
  action: 'adjustments.read',
  rate: 'read',
  request: z.object({}),
  reply: z.object({ list: z.array(z.object({ role: z.string(), quantity: money })) }),
})

export const proposeAdjustment = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/proposeAdjustment',
  summary: 'Proposes a bonus or a correction of a balance, within the limit of the role',
  action: 'adjustments.propose',
  rate: 'write',
  request: z.object({
    user_id: id,
    kind: z.enum(ADJUSTMENT_KINDS, { error: 'choice' }),
    money: centAmount,
    /** The player reads it. */
    reason: text({ max: 200 }),
  }),
  reply: z.object({ id: z.int() }),
})

export const confirmAdjustment = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/confirmAdjustment',
  summary: 'Confirms an adjustment that another person has proposed: the money moves',
  action: 'adjustments.decide',
  rate: 'write',
  request: z.object({ id }),
  reply: z.null(),
})

export const endAdjustment = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/endAdjustment',
  summary: 'Withdraws the own proposal of an adjustment, or refuses that of another person',
  action: 'adjustments.decide',
  rate: 'write',
  request: z.object({ id, reason: text({ max: 200 }) }),
  reply: z.null(),
})

export const ADJUSTMENT_ROUTES = [
  listAdjustments,
  oneAdjustment,
  adjustmentLimits,
  proposeAdjustment,
  confirmAdjustment,
  endAdjustment,
]
