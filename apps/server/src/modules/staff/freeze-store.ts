/** The SQL of frozen accounts. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyedRow, type KeysetAsk, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'

export type FrozenAccount = {
  playerId: number
  username: string
  /** Null where it was frozen by other means than a call of staff. */
  reason: string | null
  /** The name of a member of staff. */
  frozenBy: string | null
  frozenAt: number | null
}

/**
 * One page, latest first; or invalid_input where the cursor is of no such list.
 *
 * @param ask `q`: the player's number or name
 */
export async function frozenPage(
  db: Queryable,
  { q, ...ask }: KeysetAsk & { q?: string | undefined },
): Promise<{ list: FrozenAccount[]; next: string | null } | Refusal> {
  const key = keyset(ask, {
    // Those that were frozen by other means come last.
    sorts: { frozen: { sql: 'coalesce(freezing.id, 0)', type: 'bigint' } },
    id: { sql: 'player.id', type: 'bigint' },
    firstValue: 2,
  })
  if (isRefusal(key)) return key
  const rows = await db.query<FrozenAccount & KeyedRow>(
    `select player.id as "playerId", username, reason, member.name as "frozenBy",
       frozen_at as "frozenAt", ${key.columns}
     from accounts.player
       left join accounts.freezing on player_id = player.id and lifted_at is null
       left join staff.member on member.id = frozen_by
     where state = 'frozen' and ($1::text is null or player.id = any (accounts.players_called($1)))
       and ${key.where} ${key.tail}`,
    [q ?? null, ...key.values],
  )
  return key.page(rows)
}

type Change = { playerId: number; reason: string; session: string }

/** Freezes an account and ends its sessions and remembered devices. */
export async function freezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'frozen' | 'not_found' | 'already_frozen' | 'account_closed'> {
  return only(
    await tx.query<{ said: 'frozen' | 'not_found' | 'already_frozen' | 'account_closed' }>(
      `select staff.freeze_player($1, $2, $3) as said`,
      [playerId, reason, session],
    ),
  ).said
}

export async function unfreezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'active' | 'not_found' | 'not_frozen'> {
  return only(
    await tx.query<{ said: 'active' | 'not_found' | 'not_frozen' }>(
      `select staff.unfreeze_player($1, $2, $3) as said`,
      [playerId, reason, session],
    ),
  ).said
}
