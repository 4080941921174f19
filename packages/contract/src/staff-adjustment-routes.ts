/** /api/staff/money: bonuses and corrections of balances, proposed by one person and confirmed by another. */
import * as z from 'zod/mini'
import { centAmount, id, text } from './fields.ts'
import { money } from './replies.ts'
import { defineStaffRoute } from './staff-route.ts'

/** A gift, or a correction up or down. */
export const ADJUSTMENT_KINDS = ['bonus', 'credit', 'debit'] as const
export const adjustmentLimits = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/money/adjustmentLimits',
  summary: 'How much each role may propose or confirm for one player within 24 hours',
  action: 'proposals.read',
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

export const ADJUSTMENT_ROUTES = [adjustmentLimits, proposeAdjustment]
