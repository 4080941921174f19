/** The SQL of frozen accounts. */
import type { FrozenAccount } from '@sum28/contract/staff-house-routes.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import type { RowOf } from '#src/wire-form.ts'

const FROZEN = {
  columns: `player.id as "playerId", username, reason, member.name as "frozenBy", frozen_at as "frozenAt"`,
  from: `accounts.freezing
    join accounts.player on player.id = player_id
    join staff.member on member.id = frozen_by`,
  sorts: { frozen: { sql: 'freezing.id', type: 'bigint' } },
  id: { sql: 'player.id', type: 'bigint' },
} as const

/** Frozen accounts, latest first; `q`: the player's number or name. */
export function frozenPage(db: Queryable, ask: Ask<{ q: string }>) {
  return pageOf<RowOf<FrozenAccount>>(db, FROZEN, ask, {
    'lifted_at is null': true,
    'player.id = any (accounts.players_called(?))': ask.q,
  })
}

type Change = { playerId: number; reason: string; session: string }

/** Freezes an account and ends its sessions and remembered devices. */
export function freezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'frozen' | 'not_found' | 'already_frozen' | 'account_closed'> {
  return callFunction(tx, 'staff.freeze_player', playerId, reason, session)
}

export function unfreezePlayer(
  tx: Transaction,
  { playerId, reason, session }: Change,
): Promise<'active' | 'not_found' | 'not_frozen'> {
  return callFunction(tx, 'staff.unfreeze_player', playerId, reason, session)
}
