/** The SQL of bonuses and corrections of balances: the list for staff, proposals and decisions. */
import type { StaffRole } from '@sum28/contract/route.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

export type AdjustmentKind = 'bonus' | 'credit' | 'debit'
export type AdjustmentState = 'proposed' | 'confirmed' | 'refused' | 'withdrawn'

export type Adjustment = {
  id: bigint
  playerId: number
  username: string
  kind: AdjustmentKind
  amount: Amount
  reason: string
  state: AdjustmentState
  proposedBy: string
  proposedAt: number
  decidedBy: string | null
  decidedAt: number | null
  refuseReason: string | null
  /** The player's present free balance. */
  cash: Amount
}

const ADJUSTMENT = `adjustment.id, adjustment.player_id as "playerId", player.username, adjustment.kind,
  amount, reason, adjustment.state, proposer.name as "proposedBy", proposed_at as "proposedAt",
  decider.name as "decidedBy", decided_at as "decidedAt", refuse_reason as "refuseReason", cash`

const FROM = `from wallet.adjustment
  join accounts.player on player.id = adjustment.player_id
  join ledger.balance on holder_id = adjustment.player_id
  join staff.member proposer on proposer.id = proposed_by
  left join staff.member decider on decider.id = decided_by`

type AdjustmentsRequest = KeysetRequest & {
  state?: AdjustmentState | undefined
  kind?: AdjustmentKind | undefined
  playerId?: number | undefined
  /** The number of an adjustment, its player, or the member of staff who proposed it. */
  q?: string | undefined
}

/** One page, newest first; or invalid_input if the cursor does not belong to this list. */
export async function adjustmentPage(
  db: Queryable,
  { state, kind, playerId, q, ...ask }: AdjustmentsRequest,
): Promise<{ list: Adjustment[]; next: string | null } | Refusal> {
  const id: KeyColumn = { sql: 'adjustment.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 5 })
  if (isRefusal(key)) return key
  const rows = await db.query<Adjustment & KeyedRow>(
    `select ${ADJUSTMENT}, ${key.columns} ${FROM}
     where ($1::text is null or adjustment.state = $1) and ($2::text is null or adjustment.kind = $2)
       and ($3::integer is null or adjustment.player_id = $3)
       and ($4::text is null or adjustment.id = app.number_in($4)
         or adjustment.player_id = any (accounts.players_called($4))
         or proposed_by = any (array(select id from staff.member where name = $4)))
       and ${key.where} ${key.tail}`,
    [state ?? null, kind ?? null, playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

export async function adjustmentById(
  db: Queryable,
  id: number | bigint,
): Promise<Adjustment | undefined> {
  const [row] = await db.query<Adjustment>(
    `select ${ADJUSTMENT} ${FROM} where adjustment.id = $1`,
    [id],
  )
  return row
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
): Promise<{ said: 'proposed' | 'not_found' | NotNow; id: bigint | null }> {
  return only(
    await tx.query<Awaited<ReturnType<typeof insertAdjustment>>>(
      `select said, adjustment_id as id from console_money.propose_adjustment($1, $2, $3, $4, $5)`,
      [proposal.playerId, proposal.kind, proposal.amount, proposal.reason, proposal.session],
    ),
  )
}

/** @param request `onDay`: the day of booking, in the operator's time zone */
export function confirmAdjustmentOf(
  tx: Transaction,
  request: { id: number; onDay: string; session: string },
): Promise<'confirmed' | 'not_found' | 'decided' | 'same_person' | NotNow> {
  return callFunction(tx, 'console_money.confirm_adjustment($1, $2, $3)', [
    request.id,
    request.onDay,
    request.session,
  ])
}

export function endAdjustmentOf(
  tx: Transaction,
  request: { id: number; reason: string; session: string },
): Promise<'withdrawn' | 'refused' | 'not_found' | 'decided'> {
  return callFunction(tx, 'console_money.end_adjustment($1, $2, $3)', [
    request.id,
    request.reason,
    request.session,
  ])
}
