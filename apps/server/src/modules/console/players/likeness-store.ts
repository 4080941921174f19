/** Accounts that resemble an excluded one: the list for staff, and their decisions. */
import type { Likeness } from '@sum28/contract/staff-protection-routes.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import type { RowOf } from '#src/wire-form.ts'

type LikenessState = Likeness['state']

export type LikenessRow = RowOf<Likeness>

/** What `protection.share_exclusion` finds. */
const LIKE_EXCLUDED = `(exists (select from protection.exclusion break where break.player_id = likeness.like_player
    and protection.goes_on_until(break) > app.now())
  or protection.under_age_since(likeness.like_player) is not null)`

const LIKENESSES = {
  columns: `likeness.id, likeness.player_id as "playerId", player.username, like_player as "likeUserId",
    other.username as "likeUsername", ${LIKE_EXCLUDED} as "likeExcluded", like_in as "likeIn",
    holds and decided_at is null as holds, coalesce(decision, 'open') as state, began_at as "foundAt",
    member.name as "decidedBy", decided_at as "decidedAt", decide_reason as reason`,
  from: `protection.exclusion likeness
    join accounts.player player on player.id = likeness.player_id
    join accounts.player other on other.id = likeness.like_player
    left join staff.member on member.id = likeness.decided_by`,
  id: { sql: 'likeness.id', type: 'bigint' },
} as const

/** The condition of each state: pending ones have an index. */
const OF_STATE: Record<LikenessState, string> = {
  open: 'likeness.decided_at is null',
  released: `likeness.decision = 'released'`,
  confirmed: `likeness.decision = 'confirmed'`,
}

/** @param ask `playerId`: of one player, as either of the two accounts; `q`: the same, by number or name */
export function likenessPage(
  db: Queryable,
  ask: Ask<{ state: LikenessState; playerId: number; q: string }>,
) {
  return pageOf<LikenessRow>(db, LIKENESSES, ask, {
    "likeness.kind = 'likeness'": true,
    ...(ask.state && { [OF_STATE[ask.state]]: true }),
    '? in (likeness.player_id, like_player)': ask.playerId,
    [`(likeness.player_id = any (accounts.players_called(?))
       or like_player = any (accounts.players_called(?)))`]: ask.q,
  })
}

export function likenessOf(db: Queryable, id: number): Promise<LikenessRow | undefined> {
  return oneOf(db, LIKENESSES, id)
}
