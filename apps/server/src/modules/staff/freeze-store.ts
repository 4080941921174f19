/** The SQL of frozen accounts. */
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type FrozenAccount = {
  playerId: number
  username: string
  /** Null where it was frozen by other means than a call of staff. */
  reason: string | null
  /** The name of a member of staff. */
  frozenBy: string | null
  frozenAt: number | null
}

/** Frozen accounts, latest first, and how many there are. */
export async function frozenAccounts(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: FrozenAccount[]; total: number }> {
  const rows = await db.query<FrozenAccount>(
    `select player.id as "playerId", username, reason, member.name as "frozenBy",
       frozen_at as "frozenAt"
     from accounts.player
       left join accounts.freezing on player_id = player.id and lifted_at is null
       left join staff.member on member.id = frozen_by
     where state = 'frozen' order by freezing.id desc nulls last, player.id limit $1 offset $2`,
    [limit, offset],
  )
  const { total } = only(
    await db.query<{ total: number }>(
      `select count(*)::integer as total from accounts.player where state = 'frozen'`,
    ),
  )
  return { rows, total }
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
