import type { FrozenAccount } from '@sum28/contract/staff-house-routes.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type Ask, pageOf } from '#src/db/list.ts'
import type { Done, Refusal } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import { actAsStaff } from './audit.ts'

type Change = { playerId: number; reason: string; session: string }

/**
 * Freezes a player's account. From now on he is signed out everywhere and cannot sign in (account_locked); no bet and
 * no withdrawal of his is accepted, including those in progress. Accepted bets are settled, and deposits are
 * credited: his money stays where it is. He is not notified by mail, because a freeze may be part of an
 * investigation.
 *
 * @returns null, or not_found, already_decided
 */
export function freezeAccount(db: Database, change: Change): Promise<null | Refusal> {
  const { playerId, reason, session } = change
  return actAsStaff(db, {
    call: ['staff.freeze_player', playerId, reason, session],
    done: 'frozen',
    ...inLog('account_frozen', change),
  })
}

/**
 * Lifts the freeze of an account. The player must sign in again: sessions that the freeze ended stay ended.
 *
 * @param change `frozenAt`: when the freeze began that was seen, in whole seconds
 * @returns null, or not_found, not_frozen, already_decided (it is frozen anew since)
 */
export function unfreezeAccount(
  db: Database,
  change: Change & { frozenAt: number },
): Promise<null | Refusal> {
  const { playerId, frozenAt, reason, session } = change
  return actAsStaff(db, {
    call: ['staff.unfreeze_player', playerId, reason, new Date(frozenAt), session],
    done: 'active',
    ...inLog('account_unfrozen', change),
  })
}

/** The row of the log; and who has frozen the account, where that was decided before. */
function inLog(action: string, { playerId, reason, session }: Change) {
  return {
    field: 'user_id',
    decider: (tx: Queryable) =>
      tx.first<Done>(
        `select name as by, frozen_at as at from accounts.freezing join staff.member on member.id = frozen_by
         where player_id = $1 and lifted_at is null`,
        [playerId],
      ),
    entry: { session, action, subject: `player:${playerId}`, details: { reason } },
  }
}

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
