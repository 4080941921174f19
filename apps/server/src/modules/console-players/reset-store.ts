/** The SQL of required password changes, and of resets of security codes. */
import type { CODE_RESET_STATES } from '@sum28/contract/staff-reset-routes.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { RefusalWord } from '#src/refusal/refusal-words.ts'
import type { ListPage } from './player-lists.ts'

export type CodeResetState = (typeof CODE_RESET_STATES)[number]

export type CodeResetRow = {
  id: bigint
  playerId: number
  username: string
  reason: string
  state: CodeResetState
  proposedBy: string
  proposedAt: number
  decidedBy: string | null
  decidedAt: number | null
  endReason: string | null
}

/** @param ask `playerId`: of one player; `q`: the same, by number or name */
export async function codeResetPage(
  db: Queryable,
  {
    state,
    playerId,
    q,
    ...ask
  }: KeysetRequest & {
    state?: CodeResetState | undefined
    playerId?: number | undefined
    q?: string | undefined
  },
): Promise<ListPage<CodeResetRow> | Refusal> {
  const id: KeyColumn = { sql: 'reset.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 4 })
  if (isRefusal(key)) return key
  const rows = await db.query<CodeResetRow & KeyedRow>(
    `select reset.id, reset.player_id as "playerId", player.username, reset.reason, reset.state,
       proposer.name as "proposedBy", proposed_at as "proposedAt", decider.name as "decidedBy",
       decided_at as "decidedAt", end_reason as "endReason", ${key.columns}
     from console_players.code_reset reset
       join accounts.player on player.id = reset.player_id
       join staff.member proposer on proposer.id = reset.proposed_by
       left join staff.member decider on decider.id = reset.decided_by
     where ($1::text is null or reset.state = $1) and ($2::integer is null or reset.player_id = $2)
       and ($3::text is null or reset.player_id = any (accounts.players_called($3)))
       and ${key.where} ${key.tail}`,
    [state ?? null, playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

/** The player concerned, and who proposed it for which reason; undefined if there is no such proposal. */
export async function codeResetOf(
  db: Queryable,
  id: number,
): Promise<{ playerId: number; reason: string } | undefined> {
  const [row] = await db.query<{ playerId: number; reason: string }>(
    `select player_id as "playerId", reason from console_players.code_reset where id = $1`,
    [id],
  )
  return row
}

type Answer<Done extends string, Word extends RefusalWord> = Promise<
  Done | Extract<RefusalWord, Word>
>

export function requirePassword(
  tx: Transaction,
  { playerId, session }: { playerId: number; session: string },
): Answer<'required', 'not_found' | 'account_closed' | 'email_missing'> {
  return callFunction(tx, 'console_players.require_password($1, $2)', [playerId, session])
}

export function proposeCodeReset(
  tx: Transaction,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Answer<'proposed', 'not_found' | 'account_closed' | 'code_not_set' | 'already_proposed'> {
  return callFunction(tx, 'console_players.propose_code_reset($1, $2, $3)', [
    playerId,
    reason,
    session,
  ])
}

export function confirmCodeReset(
  tx: Transaction,
  { id, session }: { id: number; session: string },
): Answer<'confirmed', 'not_found' | 'decided' | 'same_person' | 'account_closed' | 'code_known'> {
  return callFunction(tx, 'console_players.confirm_code_reset($1, $2)', [id, session])
}

export function endCodeReset(
  tx: Transaction,
  { id, reason, session }: { id: number; reason: string; session: string },
): Answer<'ended', 'not_found' | 'decided'> {
  return callFunction(tx, 'console_players.end_code_reset($1, $2, $3)', [id, reason, session])
}
