/** The SQL of bonuses and corrections of balances: the list for staff, proposals and decisions. */
import type { StaffRole } from '@sum28/contract/route.ts'
import type * as wire from '@sum28/contract/staff-adjustment-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import type { RowOf } from '#src/wire-form.ts'

export type AdjustmentKind = wire.Adjustment['kind']

export type Adjustment = RowOf<wire.Adjustment, 'amount' | 'balance'>

const ADJUSTMENTS = {
  columns: `adjustment.id, adjustment.player_id as "playerId", player.username, adjustment.kind, amount, reason,
    adjustment.state, proposer.name as "proposedBy", proposed_at as "proposedAt", decider.name as "decidedBy",
    decided_at as "decidedAt", refuse_reason as "refuseReason", cash as balance`,
  from: `wallet.adjustment
    join accounts.player on player.id = adjustment.player_id
    join ledger.balance on holder_id = adjustment.player_id
    join staff.member proposer on proposer.id = proposed_by
    left join staff.member decider on decider.id = decided_by`,
  id: { sql: 'adjustment.id', type: 'bigint' },
} as const

/** @param ask `q`: the number of an adjustment, its player, or the member of staff who proposed it */
export function adjustmentPage(
  db: Queryable,
  ask: Ask<{ state: wire.Adjustment['state']; kind: AdjustmentKind; playerId: number; q: string }>,
) {
  return pageOf<Adjustment>(db, ADJUSTMENTS, ask, {
    'adjustment.state = ?': ask.state,
    'adjustment.kind = ?': ask.kind,
    'adjustment.player_id = ?': ask.playerId,
    [`(adjustment.id = app.number_in(?)
       or adjustment.player_id = any (accounts.players_called(?))
       or proposed_by = any (array(select id from staff.member where name = ?)))`]: ask.q,
  })
}

export function adjustmentById(
  db: Queryable,
  id: number | bigint,
): Promise<Adjustment | undefined> {
  return oneOf(db, ADJUSTMENTS, id)
}

/** The limits of all roles, the lowest first. */
export function adjustmentLimits(db: Queryable): Promise<{ role: string; amountMax: Amount }[]> {
  return db.query(
    `select role, amount_max as "amountMax" from wallet.adjustment_limit order by amount_max, role`,
  )
}

/** The role's limit for one player within 24 hours, and the remaining part. */
export async function limitLeft(
  db: Queryable,
  { playerId, except, role }: { playerId: number; except: number | null; role: StaffRole },
): Promise<{ maximum: Amount; left: Amount }> {
  return only(
    await db.query<{ maximum: Amount; left: Amount }>(
      `select coalesce(max(amount_max), 0)::bigint as maximum,
         console_money.adjustment_left($1, $2, $3) as left
       from wallet.adjustment_limit where role = $3`,
      [playerId, except, role],
    ),
  )
}

type NotNow = 'account_closed' | 'excluded' | 'insufficient_balance' | 'above_role_limit'

export async function insertAdjustment(
  tx: Transaction,
  proposal: {
    playerId: number
    kind: AdjustmentKind
    amount: Amount
    reason: string
    session: string
  },
): Promise<{ answer: 'proposed' | 'not_found' | NotNow; id: bigint | null }> {
  return only(
    await tx.query<Awaited<ReturnType<typeof insertAdjustment>>>(
      `select answer, adjustment_id as id from console_money.propose_adjustment($1, $2, $3, $4, $5)`,
      [proposal.playerId, proposal.kind, proposal.amount, proposal.reason, proposal.session],
    ),
  )
}

/** @param request `onDay`: the day of booking, in the operator's time zone */
export function confirmAdjustmentOf(
  tx: Transaction,
  request: { id: number; onDay: string; session: string },
): Promise<'confirmed' | 'not_found' | 'decided' | 'same_person' | NotNow> {
  return callFunction(
    tx,
    'console_money.confirm_adjustment',
    request.id,
    request.onDay,
    request.session,
  )
}

export function endAdjustmentOf(
  tx: Transaction,
  request: { id: number; reason: string; session: string },
): Promise<'withdrawn' | 'refused' | 'not_found' | 'decided'> {
  return callFunction(
    tx,
    'console_money.end_adjustment',
    request.id,
    request.reason,
    request.session,
  )
}
