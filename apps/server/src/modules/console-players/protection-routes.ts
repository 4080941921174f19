import * as wire from '@sum28/contract/staff-protection-routes.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { Resources } from '#src/resources.ts'
import { decideLikeness } from './decide-likeness.ts'
import { likenessPage } from './likeness-store.ts'
import { listed, seconds, secondsOrNull } from './listed.ts'

/** Answers the calls of `staff-protection-routes.ts`. */
export function consoleProtectionRoutes({
  db,
}: Pick<Resources, 'db' | 'timeZone' | 'now'>): RouteBinding[] {
  return [
    bind(wire.listLikenesses, async ({ input: { user_id: playerId, ...ask } }) =>
      listed(await likenessPage(db, { ...ask, playerId }), (row) => ({
        id: Number(row.id),
        user_id: row.playerId,
        username: row.username,
        like_user_id: row.likeId,
        like_username: row.likeName,
        like_in: row.likeIn,
        holds: row.holds,
        state: row.state,
        found_at: seconds(row.foundAt),
        decided_by: row.decidedBy,
        decided_at: secondsOrNull(row.decidedAt),
        reason: row.reason,
      })),
    ),
    bind(wire.releaseLikeness, ({ input, caller }) =>
      decideLikeness(db, { ...input, confirms: false, session: caller.token }),
    ),
    bind(wire.confirmLikeness, ({ input, caller }) =>
      decideLikeness(db, { ...input, confirms: true, session: caller.token }),
    ),
  ]
}
