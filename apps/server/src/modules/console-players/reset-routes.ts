import * as wire from '@sum28/contract/staff-reset-routes.ts'
import type { Database } from '#src/db/database.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { listed } from './listed.ts'
import { requirePassword } from './require-password.ts'
import { confirmCodeReset, endCodeReset, proposeCodeReset } from './reset-code.ts'
import { codeResetPage } from './reset-store.ts'

/** Serves the calls of `staff-reset-routes.ts`. */
export function consoleResetRoutes(db: Database): RouteBinding[] {
  return [
    bind(wire.requirePassword, ({ input: { user_id: playerId, reason }, caller }) =>
      requirePassword(db, { playerId, reason, session: caller.token }),
    ),
    bind(wire.listCodeResets, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await codeResetPage(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        user_id: row.playerId,
        username: row.username,
        reason: row.reason,
        state: row.state,
        proposed_by: row.proposedBy,
        proposed_at: unixSeconds(row.proposedAt),
        decided_by: row.decidedBy,
        decided_at: unixSecondsOrNull(row.decidedAt),
        end_reason: row.endReason,
      })),
    ),
    bind(wire.proposeCodeReset, ({ input: { user_id: playerId, reason }, caller }) =>
      proposeCodeReset(db, { playerId, reason, session: caller.token }),
    ),
    bind(wire.confirmCodeReset, ({ input: { id }, caller }) =>
      confirmCodeReset(db, { id, session: caller.token }),
    ),
    bind(wire.endCodeReset, ({ input: { id, reason }, caller }) =>
      endCodeReset(db, { id, reason, session: caller.token }),
    ),
  ]
}
