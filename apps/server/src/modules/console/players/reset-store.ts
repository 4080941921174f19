/** The SQL of required password changes, and of resets of security codes. */
import type { CodeReset } from '@sum28/contract/staff-reset-routes.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import type { RefusalWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

type CodeResetRow = RowOf<CodeReset>

const CODE_RESETS = {
  columns: `reset.id, reset.player_id as "playerId", player.username, reset.reason, reset.state,
    proposer.name as "proposedBy", proposed_at as "proposedAt", decider.name as "decidedBy",
    decided_at as "decidedAt", end_reason as "endReason"`,
  from: `console_players.code_reset reset
    join accounts.player on player.id = reset.player_id
    join staff.member proposer on proposer.id = reset.proposed_by
    left join staff.member decider on decider.id = reset.decided_by`,
  id: { sql: 'reset.id', type: 'bigint' },
} as const

/** @param ask `playerId`: of one player; `q`: the same, by number or name */
export function codeResetPage(
  db: Queryable,
  ask: Ask<{ state: CodeReset['state']; playerId: number; q: string }>,
) {
  return pageOf<CodeResetRow>(db, CODE_RESETS, ask, {
    'reset.state = ?': ask.state,
    'reset.player_id = ?': ask.playerId,
    'reset.player_id = any (accounts.players_called(?))': ask.q,
  })
}

/** The proposal of this id, if there is one. */
export function codeResetOf(db: Queryable, id: number): Promise<CodeResetRow | undefined> {
  return oneOf(db, CODE_RESETS, id)
}

type Answer<Done extends string, Word extends RefusalWord> = Promise<
  Done | Extract<RefusalWord, Word>
>

export function requirePassword(
  tx: Transaction,
  { playerId, session }: { playerId: number; session: string },
): Answer<'required', 'not_found' | 'account_closed' | 'email_missing'> {
  return callFunction(tx, 'console_players.require_password', playerId, session)
}

export function proposeCodeReset(
  tx: Transaction,
  { playerId, reason, session }: { playerId: number; reason: string; session: string },
): Answer<'proposed', 'not_found' | 'account_closed' | 'code_not_set' | 'already_proposed'> {
  return callFunction(tx, 'console_players.propose_code_reset', playerId, reason, session)
}

export function confirmCodeReset(
  tx: Transaction,
  { id, session }: { id: number; session: string },
): Answer<'confirmed', 'not_found' | 'decided' | 'same_person' | 'account_closed' | 'code_known'> {
  return callFunction(tx, 'console_players.confirm_code_reset', id, session)
}

export function endCodeReset(
  tx: Transaction,
  { id, reason, session }: { id: number; reason: string; session: string },
): Answer<'ended', 'not_found' | 'decided'> {
  return callFunction(tx, 'console_players.end_code_reset', id, reason, session)
}
