/** /api/staff/players: resets of a password or security code that is lost, or known to another person. */
import * as z from 'zod/mini'
import { id, text } from './fields.ts'
import type { Route } from './route.ts'
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

export const proposeCodeReset = defineStaffRoute({
  method: 'POST',
  path: '/api/staff/players/proposeCodeReset',
  summary: 'Proposes to delete a player’s security code, and tells him; another person confirms',
  action: 'players.proposeSecurityReset',
  rate: 'write',
  request: z.object({ user_id: id, reason }),
  reply: z.null(),
})

export const RESET_ROUTES: readonly Route[] = [requirePassword, proposeCodeReset]
