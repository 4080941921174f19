/** /api/staff/players: resets of a password or security code that is lost, or known to another person. */
import * as z from 'zod/mini'
import { id, optionalText, text } from './fields.ts'
import { unix } from './replies.ts'
import type { Route } from './route.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

const reason = text({ max: 500 })

export const requirePassword = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/requirePassword',
  summary: 'Signs a player out everywhere; he signs in again only with a new password, set by mail',
  action: 'players.requirePassword',
  rate: 'write',
  request: z.object({ user_id: id, reason }),
  reply: z.null(),
})

export const CODE_RESET_STATES = ['proposed', 'confirmed', 'ended'] as const

export const codeReset = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  reason: z.string(),
  state: z.enum(CODE_RESET_STATES),
  proposed_by: z.string(),
  proposed_at: unix,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
  /** Why it was ended. */
  end_reason: z.nullable(z.string()),
})
export type CodeReset = z.infer<typeof codeReset>

export const listCodeResets = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/codeResets',
  summary: 'Proposals to delete a player’s security code, newest first',
  action: 'players.read',
  rate: 'read',
  request: listRequest(['id'], {
    state: z.optional(z.enum(CODE_RESET_STATES, { error: 'choice' })),
    user_id: z.optional(id),
    /** A player's number or name. */
    q: optionalText(100),
  }),
  reply: listPage(codeReset),
})

export const proposeCodeReset = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/proposeCodeReset',
  summary: 'Proposes to delete a player’s security code, and tells him; another person confirms',
  action: 'players.proposeSecurityReset',
  rate: 'write',
  request: z.object({ user_id: id, reason }),
  reply: z.null(),
})

export const confirmCodeReset = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/confirmCodeReset',
  summary: 'Deletes the security code as another person proposed; withdrawals are on hold after it',
  action: 'players.confirmSecurityReset',
  rate: 'write',
  request: z.object({ id }),
  reply: z.null(),
})

export const endCodeReset = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/endCodeReset',
  summary: 'Ends a proposal to delete a security code: the code stays',
  action: 'players.proposeSecurityReset',
  rate: 'write',
  request: z.object({ id, reason }),
  reply: z.null(),
})

export const RESET_ROUTES: readonly Route[] = [
  requirePassword,
  listCodeResets,
  proposeCodeReset,
  confirmCodeReset,
  endCodeReset,
]
