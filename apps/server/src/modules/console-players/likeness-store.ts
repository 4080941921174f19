/** Accounts that resemble an excluded one: the list for staff, and their decisions. */
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { RefusalWord } from '#src/refusal/refusal-words.ts'
import type { ListPage } from './player-lists.ts'

export type LikenessState = 'open' | 'released' | 'confirmed'

export type LikenessRow = {
  id: bigint
  playerId: number
  username: string
  likeId: number
  likeName: string
  likeIn: 'email' | 'document' | 'wallet' | 'card' | 'device'
  holds: boolean
  state: LikenessState
  foundAt: number
  decidedBy: string | null
  decidedAt: number | null
  reason: string | null
}

const LIKENESS = `from protection.exclusion likeness
  join accounts.player player on player.id = likeness.player_id
  join accounts.player other on other.id = likeness.like_player
  left join staff.member on member.id = likeness.decided_by
  where likeness.kind = 'likeness'`

/** @param ask `playerId`: of one player, as either of the two accounts; `q`: the same, by number or name */
export async function likenessPage(
  db: Queryable,
  {
    state,
    playerId,
    q,
    ...ask
  }: KeysetRequest & {
    state?: LikenessState | undefined
    playerId?: number | undefined
    q?: string | undefined
  },
): Promise<ListPage<LikenessRow> | Refusal> {
  const id: KeyColumn = { sql: 'likeness.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 3 })
  if (isRefusal(key)) return key
  // A separate condition for pending ones, which has an index.
  const of = {
    open: 'and likeness.decided_at is null',
    released: `and likeness.decision = 'released'`,
    confirmed: `and likeness.decision = 'confirmed'`,
  }
  const rows = await db.query<LikenessRow & KeyedRow>(
    `select likeness.id, likeness.player_id as "playerId", player.username, like_player as "likeId",
       other.username as "likeName", like_in as "likeIn", holds and decided_at is null as holds,
       coalesce(decision, 'open') as state, began_at as "foundAt", member.name as "decidedBy",
       decided_at as "decidedAt", decide_reason as reason, ${key.columns}
     ${LIKENESS} ${state ? of[state] : ''}
       and ($1::integer is null or $1 in (likeness.player_id, like_player))
       and ($2::text is null or likeness.player_id = any (accounts.players_called($2))
         or like_player = any (accounts.players_called($2)))
       and ${key.where} ${key.tail}`,
    [playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

/** The player concerned, and the other one; undefined if there is no such likeness. */
export async function likenessOf(
  db: Queryable,
  id: number,
): Promise<Pick<LikenessRow, 'playerId' | 'likeId' | 'likeIn'> | undefined> {
  const [row] = await db.query<Pick<LikenessRow, 'playerId' | 'likeId' | 'likeIn'>>(
    `select likeness.player_id as "playerId", like_player as "likeId", like_in as "likeIn"
     ${LIKENESS} and likeness.id = $1`,
    [id],
  )
  return row
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
  return callFunction(tx, 'protection.decide_likeness($1, $2, $3, $4)', [
    id,
    confirms,
    reason,
    session,
  ])
}
