/** The withdrawals module's SQL. What moves money is in functions of the database. */
import type { Amount } from '@sum28/domain/money.ts'
import { only, type Queryable, type Transaction } from '#src/db/database.ts'
import { referenceKey } from '#src/payment-reference.ts'
import type { RefusalWord } from '#src/refusal-words.ts'
import type { PayMethodKind } from './pay-method-store.ts'

export type WithdrawalState = 'waiting' | 'approved' | 'rejected'

export type Withdrawal = {
  id: bigint
  playerId: number
  username: string
  payMethodId: number
  amount: Amount
  cashAfter: Amount
  state: WithdrawalState
  /** Whether the player's account is frozen. */
  frozen: boolean
  /** Whether it takes two people to approve it. */
  twoPersons: boolean
  requestedAt: number
  decidedAt: number | null
  firstApprovedBy: string | null
  decidedBy: string | null
  rejectReason: string | null
  payoutReference: string | null
  paidAt: number | null
  kind: PayMethodKind
  shownNumber: string
  label: string
  bankName: string
  branchCode: string
  branchName: string
}

const WITHDRAWAL = `withdrawal.id, withdrawal.player_id as "playerId", player.username,
  pay_method_id as "payMethodId", amount, cash_after as "cashAfter", withdrawal.state,
  requested_at as "requestedAt", decided_at as "decidedAt", first.name as "firstApprovedBy",
  decider.name as "decidedBy", reject_reason as "rejectReason",
  payout_reference as "payoutReference", paid_at as "paidAt", player.state = 'frozen' as frozen,
  withdrawals.takes_two(withdrawal) as "twoPersons", pay_method.kind, shown_number as "shownNumber",
  label, bank_name as "bankName", branch_code as "branchCode", branch_name as "branchName"`

const FROM = `withdrawals.withdrawal
  join accounts.player on player.id = withdrawal.player_id
  join withdrawals.pay_method on pay_method.id = pay_method_id
  left join staff.member first on first.id = first_approved_by
  left join staff.member decider on decider.id = coalesce(approved_by, rejected_by)`

export async function withdrawalById(
  db: Queryable,
  id: number | bigint,
): Promise<Withdrawal | undefined> {
  const [row] = await db.query<Withdrawal>(
    `select ${WITHDRAWAL} from ${FROM} where withdrawal.id = $1`,
    [id],
  )
  return row
}

/** What staff see: those that wait, oldest first, then the rest, newest first. */
export async function withdrawalsFor(
  db: Queryable,
  { state, limit, offset }: { state: WithdrawalState | null; limit: number; offset: number },
): Promise<{ rows: Withdrawal[]; total: number }> {
  const rows = await db.query<Withdrawal>(
    `select ${WITHDRAWAL} from ${FROM}
     where $1::text is null or withdrawal.state = $1
     order by ${state === null ? `withdrawal.state <> 'waiting',` : ''}
       case withdrawal.state when 'waiting' then withdrawal.id else -withdrawal.id end
     limit $2 offset $3`,
    [state, limit, offset],
  )
  const { total } = only(
    await db.query<{ total: bigint }>(
      `select count(*) as total from withdrawals.withdrawal where $1::text is null or state = $1`,
      [state],
    ),
  )
  return { rows, total: Number(total) }
}

/** The request of a player that nobody has decided yet. */
export async function waitingWithdrawal(
  db: Queryable,
  playerId: number,
): Promise<{ id: bigint; amount: Amount; requestedAt: number } | undefined> {
  const [row] = await db.query<{ id: bigint; amount: Amount; requestedAt: number }>(
    `select id, amount, requested_at as "requestedAt" from withdrawals.withdrawal
     where player_id = $1 and state = 'waiting'`,
    [playerId],
  )
  return row
}

/** Until when a change to the account holds withdrawals, in milliseconds since 1970, or null. */
export async function holdUntil(db: Queryable, playerId: number): Promise<number | null> {
  const [row] = await db.query<{ until: number }>(
    `select sensitive_changed_at + hold as until from accounts.player, withdrawals.terms
     where id = $1 and sensitive_changed_at + hold > app.now()`,
    [playerId],
  )
  return row?.until ?? null
}

export type Requested = {
  /** Null where the request stands; `replay`: the key was used before. */
  reason: RefusalWord | 'replay' | null
  withdrawalId: bigint | null
  cashAfter: Amount | null
}

/** Holds the money of a withdrawal, or says why not. */
export async function requestHold(
  tx: Transaction,
  request: {
    playerId: number
    payMethodId: number
    amount: Amount
    onDay: string
    key: string | null
    inputHash: string
  },
): Promise<Requested> {
  return only(
    await tx.query<Requested>(
      `select reason, withdrawal_id as "withdrawalId", cash_after as "cashAfter"
       from withdrawals.request($1, $2, $3, $4, $5, decode($6, 'hex'))`,
      [
        request.playerId,
        request.payMethodId,
        request.amount,
        request.onDay,
        request.key,
        request.inputHash,
      ],
    ),
  )
}

export type Approved =
  | 'approved'
  | 'first'
  | 'not_found'
  | 'decided'
  | 'account_frozen'
  | 'same_person'

export async function approve(
  tx: Transaction,
  { id, session }: { id: number; session: string },
): Promise<Approved> {
  return only(
    await tx.query<{ said: Approved }>(`select withdrawals.approve($1, $2) as said`, [id, session]),
  ).said
}

export async function reject(
  tx: Transaction,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<'rejected' | 'not_found' | 'decided'> {
  return only(
    await tx.query<{ said: 'rejected' | 'not_found' | 'decided' }>(
      `select withdrawals.reject($1, $2, $3) as said`,
      [id, session, reason],
    ),
  ).said
}

export type PayoutRecorded =
  | 'paid'
  | 'not_found'
  | 'not_approved'
  | 'paid_already'
  | 'same_person'
  | 'reference_used'

export async function recordPayoutOf(
  tx: Transaction,
  { id, session, reference }: { id: number; session: string; reference: string },
): Promise<PayoutRecorded> {
  return only(
    await tx.query<{ said: PayoutRecorded }>(
      `select withdrawals.record_payout($1, $2, $3, $4) as said`,
      [id, session, reference, referenceKey(reference)],
    ),
  ).said
}
