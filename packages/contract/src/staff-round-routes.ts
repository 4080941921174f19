/** /api/staff: voiding a round before its result can be known. Two people decide it. */
import * as z from 'zod/mini'
import { id, issue, text } from './fields.ts'
import { defineRoute } from './route.ts'
import { CASHIERS, ON_DUTY } from './staff-roles.ts'

export const proposeVoid = defineRoute({
  method: 'POST',
  path: '/api/staff/rounds/proposeVoid',
  summary: 'Proposes to void a round that has not ended; another person confirms',
  auth: 'staff',
  roles: ON_DUTY,
  rate: 'write',
  request: z.object({ game_id: id, issue, note: text({ max: 200 }) }),
  reply: z.null(),
})

export const confirmVoid = defineRoute({
  method: 'POST',
  path: '/api/staff/rounds/confirmVoid',
  summary: 'Voids a round that another person has proposed to void, and returns every stake',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ game_id: id, issue }),
  reply: z.null(),
})
