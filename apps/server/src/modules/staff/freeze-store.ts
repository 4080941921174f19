/** The SQL of frozen accounts. */
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

export type FrozenAccount = {
  playerId: number
  username: string
  /** Null if it was not frozen by a call of staff. */
  reason: string | null
  /** The name of a member of staff. */
  frozenBy: string | null
  frozenAt: number | null
}

/**
 * Accounts that staff froze, by the index of present freezes: they stay frozen until the freeze is lifted. And
 * accounts that were frozen in other ways.
 */
const BY_STAFF = {
  place: 'freezing.id',
  from: 'accounts.freezing join accounts.player on player.id = player_id',
  where: 'lifted_at is null',
}
const BY_OTHERS = {
  place: '0::bigint',
  from: 'accounts.player left join accounts.freezing on player_id = player.id and lifted_at is null',
  where: `player.state = 'frozen' and freezing.id is null`,
}

/**
 * One page, latest first, those frozen in other ways last; or invalid_input if the cursor does not belong to this
 * list.
 *
 * @param ask `q`: the player's number or name
 */
export async function frozenPage(
  db: Queryable,
  { q, ...ask }: KeysetRequest & { q?: string | undefined },
): Promise<{ list: FrozenAccount[]; next: string | null } | Refusal> {
  const found: (FrozenAccount & KeyedRow)[] = []
  const parts = ask.order === 'asc' ? [BY_OTHERS, BY_STAFF] : [BY_STAFF, BY_OTHERS]
  for (const { place, from, where } of parts) {
    const key = keyset(ask, {
      sorts: { frozen: { sql: place, type: 'bigint' } },
      id: { sql: 'player.id', type: 'bigint' },
      firstValue: 2,
    })
    if (isRefusal(key)) return key
    found.push(
      ...(await db.query<FrozenAccount & KeyedRow>(
        `select player.id as "playerId", username, reason, member.name as "frozenBy",
           frozen_at as "frozenAt", ${key.columns}
         from ${from} left join staff.member on member.id = frozen_by
         where ${where} and ($1::text is null or player.id = any (accounts.players_called($1)))
           and ${key.where} ${key.tail}`,
        [q ?? null, ...key.values],
      )),
    )
    // The rest is read only if this part does not fill the page.
    const page = key.page(found)
    if (page.next !== null) return page
  }
  return { list: found, next: null }
}

type Change = { playerId: number; reason: string; session: string }

/** Freezes an account and ends its sessions and remembered devices. */
export function freezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'frozen' | 'not_found' | 'already_frozen' | 'account_closed'> {
  return callFunction(tx, 'staff.freeze_player($1, $2, $3)', [playerId, reason, session])
}

export function unfreezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'active' | 'not_found' | 'not_frozen'> {
  return callFunction(tx, 'staff.unfreeze_player($1, $2, $3)', [playerId, reason, session])
}
