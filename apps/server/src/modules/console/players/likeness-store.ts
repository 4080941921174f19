/** Accounts that resemble an excluded one: the list for staff, and their decisions. */
import type { Likeness } from '@sum28/contract/staff-protection-routes.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import type { RefusalWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

type LikenessState = Likeness['state']

export type LikenessRow = RowOf<Likeness>

const LIKENESSES = {
  columns: `likeness.id, likeness.player_id as "playerId", player.username, like_player as "likeUserId",
    other.username as "likeUsername", like_in as "likeIn", holds and decided_at is null as holds,
    coalesce(decision, 'open') as state, began_at as "foundAt", member.name as "decidedBy",
    decided_at as "decidedAt", decide_reason as reason`,
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

/** The likeness of this id, if there is one. */
export function likenessOf(db: Queryable, id: number): Promise<LikenessRow | undefined> {
  return oneOf(db, LIKENESSES, id)
}

export type LikenessDecided =
  | 'released'
  | 'confirmed'
  | Extract<RefusalWord, 'not_found' | 'decided' | 'not_excluded'>

export function decideLikeness(
  tx: Transaction,
  {
    id,
    confirms,
    reason,
    session,
  }: { id: number; confirms: boolean; reason: string; session: string },
): Promise<LikenessDecided> {
  return callFunction(tx, 'protection.decide_likeness', id, confirms, reason, session)
}
