/** /api/staff: voiding a round before its result can be known. Two people decide it. */
import * as z from 'zod/mini'
import { id, issue, text } from './fields.ts'
import { defineStaffRoute } from './staff-route.ts'

export const proposeVoid = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/rounds/proposeVoid',
  summary: 'Proposes to void a round that has not ended; another person confirms',
  action: 'rounds.proposeVoid',
  rate: 'write',
  request: z.object({ game_id: id, issue, note: text({ max: 200 }) }),
  reply: z.null(),
})

export const confirmVoid = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/rounds/confirmVoid',
  summary: 'Voids a round that another person has proposed to void, and returns every stake',
  action: 'rounds.confirmVoid',
  rate: 'write',
  request: z.object({ game_id: id, issue }),
  reply: z.null(),
})
