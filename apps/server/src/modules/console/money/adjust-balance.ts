/** Bonuses and corrections of balances: proposed by one person, confirmed by another, each step in the audit log. */
import type { StaffRole } from '@sum28/contract/route.ts'
import type * as wire from '@sum28/contract/staff-adjustment-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import {
  callFunction,
  type Database,
  only,
  type Queryable,
  type Transaction,
} from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { type NoticeKind, notify } from '#src/modules/inbox/notify.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { balancesOf } from '#src/modules/wallet/wallet-store.ts'
import {
  decidedBefore,
  type Refusal,
  type RefusalWord,
  refuse,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

/** The token of the acting session, and the role of its member. */
type Actor = { session: string; role: StaffRole }

const NOTICES: Record<AdjustmentKind, NoticeKind> = {
  bonus: 'bonus',
  credit: 'adjustment_credit',
  debit: 'adjustment_debit',
}

/**
 * Proposes a bonus or a correction.
 *
 * @param proposal `amount` in micro-units; `reason` is shown to the player after the confirmation
 * @returns the adjustment's id, or not_found (no such player), account_closed, excluded (no bonus during a break or a
 * review), insufficient_balance, above_role_limit
 */
export function proposeAdjustment(
  db: Database,
  proposal: Actor & {
    playerId: number
    kind: AdjustmentKind
    amount: Amount
    reason: string
  },
): Promise<{ id: number } | Refusal> {
  return asStaff(db, async (tx) => {
    const { answer: word, id } = await insertAdjustment(tx, proposal)
    if (word !== 'proposed') {
      return refusal(tx, word, { playerId: proposal.playerId, except: null, role: proposal.role })
    }
    await done(tx, { id: Number(id), session: proposal.session }, 'adjustment_proposed')
    return { id: Number(id) }
  })
}

/**
 * Confirms what another person has proposed: the money moves, and the player is notified of the reason.
 *
 * @returns null, or not_found, already_decided, second_person_needed, or a refusal of a proposal
 */
export function confirmAdjustment(
  { db, timeZone, now }: { db: Database; timeZone: string; now: () => number },
  { id, session, role }: Actor & { id: number },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmAdjustmentOf(tx, { id, session, onDay: dayOf(timeZone, now()) })
    const adjustment = await adjustmentById(tx, id)
    if (word === 'not_found' || !adjustment) return refuseByWord('not_found')
    const { playerId, kind, amount, reason } = adjustment
    if (word === 'decided') return decidedBefore(adjustment.decidedBy)
    if (word !== 'confirmed') return refusal(tx, word, { playerId, except: id, role })
    const facts = { amount: formatAmount(amount), reason }
    await notify(tx, { playerId, kind: NOTICES[kind], facts })
    await done(tx, { id, session }, 'adjustment_confirmed')
    return null
  })
}

/**
 * Withdraws one's own proposal, or refuses that of another person.
 *
 * @returns null, or not_found or already_decided
 */
export function endAdjustment(
  db: Database,
  request: { id: number; reason: string; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await endAdjustmentOf(tx, request)
    const adjustment = await adjustmentById(tx, request.id)
    if (word === 'not_found' || !adjustment) return refuseByWord('not_found')
    if (word === 'decided') return decidedBefore(adjustment.decidedBy)
    await done(tx, request, `adjustment_${word}`)
    return null
  })
}

/** The refusal for a word of the database, in words for staff and with the amounts that matter. */
async function refusal(
  tx: Transaction,
  word: RefusalWord,
  of: { playerId: number; except: number | null; role: StaffRole },
): Promise<Refusal> {
  if (word === 'above_role_limit') {
    const { maximum, left } = await limitLeft(tx, of)
    return refuse(word, { maximum: formatAmount(maximum), left: formatAmount(left) })
  }
  if (word === 'insufficient_balance') {
    const cash = (await balancesOf(tx, [of.playerId])).get(of.playerId) ?? 0n
    return { ...refuse(word, { left: formatAmount(cash) }), wording: 'above_free_balance' }
  }
  if (word === 'excluded') return { ...refuse(word), wording: 'bonus_excluded' }
  return refuseByWord(word)
}

async function done(
  tx: Transaction,
  { id, session }: { id: number; session: string },
  action: string,
): Promise<void> {
  const adjustment = await adjustmentById(tx, id)
  if (!adjustment) throw new Error(`the adjustment ${id} that was decided is gone`)
  const { playerId, kind, amount, reason, proposedBy, refuseReason } = adjustment
  await appendAudit(tx, {
    ...{ session, action },
    subject: `adjustment:${id}`,
    details: {
      ...{ player_id: playerId, kind, amount: formatAmount(amount), reason },
      ...{ proposed_by: proposedBy, ...(refuseReason !== null && { refuse_reason: refuseReason }) },
    },
  })
}

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
async function limitLeft(
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
