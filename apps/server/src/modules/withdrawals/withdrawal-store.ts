/** The withdrawals module's SQL. What moves money is in functions of the database. */
import { LIST_LIMIT_MAX, type Turn } from '@sum28/contract/staff-list.ts'
import type { StaffWithdrawal } from '@sum28/contract/staff-routes.ts'
import type { WithdrawalState } from '@sum28/contract/withdrawal-states.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import {
  type Ask,
  type Conditions,
  type ListPage,
  oneOf,
  pageOf,
  type Source,
} from '#src/db/list.ts'
import { type Done, isRefusal, type Refusal, type RefusalWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import type { PayMethodKind } from './pay-methods.ts'
import { riskHints, risksOf } from './risks.ts'

type Amounts = 'amount' | 'paidPart' | 'rest' | 'seenAmount'

export type Withdrawal = RowOf<Omit<StaffWithdrawal, 'id' | 'payee' | 'risks'>, Amounts> & {
  id: bigint
  payMethodId: number
  cashAfter: Amount
  kind: PayMethodKind
  shownNumber: string
  label: string
  bankName: string
  branchCode: string
  branchName: string
  /** Whether the person who asks has taken its payment. */
  hasTaken: boolean
}

/**
 * The name of a member of staff. Joining the same table six times would cost the planner more than reading the page.
 */
function nameOf(id: string): string {
  return `(select name from staff.member where member.id = ${id})`
}

/** The names of those who had a payment that was given back, the latest first, by the SQL of its subject. */
export function deniersOf(subject: string): string {
  return `array(select name from staff.payment_denial join staff.member on member.id = staff_id
    where payment_denial.subject = ${subject} order by at desc)`
}

/** When it was last said to be unpaid by one of them. */
export function deniedAtOf(subject: string): string {
  return `(select max(at) from staff.payment_denial where payment_denial.subject = ${subject})`
}

/** Of the newest note about the player. */
function noteOf(column: string): string {
  return `(select ${column} from console_players.note where note.player_id = withdrawal.player_id order by note.id desc limit 1)`
}

/** Whether a note about the player was written since the request; there may be none. */
const IS_NOTED = `coalesce(${noteOf('written_at')} >= requested_at, false)`

/** The log has it in the row of the request. */
const REQUEST_REASON = `case when requested_by is not null then (select details ->> 'reason' from staff.audit
  where subject = 'withdrawal:' || withdrawal.id and action = 'rest_requested') end`

/** The log alone has what was corrected. */
const EARLIER_REFERENCES = `array(select details ->> 'before' from staff.audit
  where subject = 'withdrawal:' || withdrawal.id and action = 'payout_corrected' order by id desc)`

/** A correction begins `paid_at` anew, to wait for the chain; the log has when the payout was recorded. */
export const PAID_AT = `case when payout_corrected_by is null then paid_at else coalesce((select max(at) from staff.audit
  where subject = 'withdrawal:' || withdrawal.id and action = 'withdrawal_paid'), paid_at) end`

const SENT_AT = `coalesce(sent_at, ${PAID_AT})`

const IS_PROPOSED = `staff.is_proposed('withdrawal:' || withdrawal.id)`

/** The state that staff are shown. */
export const SHOWN_STATE = `case when stage = 'to_pay' and ${IS_PROPOSED} then 'reversing' else stage end`

const WITHDRAWALS = {
  columns: `withdrawal.id, withdrawal.player_id as "playerId", player.username,
    pay_method_id as "payMethodId", amount, paid_part as "paidPart", rest, cash_after as "cashAfter",
    ${SHOWN_STATE} as state,
    requested_at as "requestedAt", decided_at as "decidedAt",
    ${nameOf('first_approved_by')} as "firstApprovedBy",
    ${nameOf('coalesce(approved_by, rejected_by)')} as "decidedBy", reject_reason as "rejectReason",
    payout_reference as "payoutReference", ${EARLIER_REFERENCES} as "earlierReferences", sent_at as "sentAt", ${nameOf('taken_by')} as "takenBy", taken_at as "takenAt",
    ${nameOf('payout_recorded_by')} as "payoutRecordedBy", ${PAID_AT} as "paidAt", payout_chain as "payoutChain",
    payout_fault as "payoutFault", console_money.may_come(withdrawal) as "mayCome",
    withdrawals.seen_amount(withdrawal) as "seenAmount",
    ${nameOf('payout_accepted_by')} as "payoutAcceptedBy", ${nameOf('payout_corrected_by')} as "payoutCorrectedBy", at_bank as "atBank",
    ${deniersOf(`'withdrawal:' || withdrawal.id`)} as "keptFromPaying",
    ${deniedAtOf(`'withdrawal:' || withdrawal.id`)} as "deniedAt",
    ${nameOf('reversed_by')} as "reversedBy", reversed_at as "reversedAt",
    ${nameOf('requested_by')} as "requestedBy", ${REQUEST_REASON} as "requestReason",
    ${noteOf('text')} as note, ${noteOf('written_at')} as "notedAt", player.state = 'frozen' as frozen,
     player.state = 'closed' as closed,
    case when stage in ('waiting', 'to_pay', 'at_bank') then withdrawals.hold_until(withdrawal.player_id) end as "holdUntil",
    stage in ('waiting', 'to_pay', 'at_bank') and withdrawals.needs_password(player) as "needsPassword",
    withdrawals.takes_two(withdrawal) as "twoPersons",
    withdrawals.waits_for_identity(withdrawal) as "waitsForIdentity",
    withdrawals.waits_for(withdrawal, $1::integer) as yours,
    taken_by is not distinct from $1::integer as "hasTaken", pay_method.kind, shown_number as "shownNumber",
    label, bank_name as "bankName", branch_code as "branchCode", branch_name as "branchName"`,
  from: `withdrawals.withdrawal
    join accounts.player on player.id = withdrawal.player_id
    join withdrawals.pay_method on pay_method.id = pay_method_id
    left join staff.taken_payment on subject = 'withdrawal:' || withdrawal.id`,
  sorts: {
    queue: { sql: 'withdrawal.place', type: 'bigint' },
    id: { sql: 'withdrawal.id', type: 'bigint' },
  },
  id: { sql: 'withdrawal.id', type: 'bigint' },
  usual: 'asc',
} as const

/** @param staffId who asks whether it waits for him */
export function withdrawalById(
  db: Queryable,
  id: number | bigint,
  staffId: number | null = null,
): Promise<Withdrawal | undefined> {
  return oneOf(db, { ...WITHDRAWALS, values: [staffId] }, id)
}

/**
 * Why the payee of a withdrawal is not shown in full. While it is to be paid only the person who has taken it sees him, so
 * that no other person pays it too.
 */
export function payeeHidden(withdrawal: Withdrawal): RefusalWord | null {
  const { state, yours, takenBy, hasTaken, frozen, holdUntil, needsPassword } = withdrawal
  if (state === 'at_bank') return 'at_bank'
  if (state !== 'to_pay' && state !== 'reversing') return null
  if (takenBy === null) return 'payment_not_taken'
  if (!hasTaken || !yours) return 'payment_taken'
  if (frozen) return 'account_frozen'
  return holdUntil === null && !needsPassword ? null : 'withdrawal_on_hold'
}

/**
 * Who has taken a payment, as `withdrawal:12` or `bank_batch:3`, and since when; `left`: he may pay no more, or is no
 * member any more.
 */
export function takerOf(
  db: Queryable,
  subject: string,
): Promise<(Done & { left: boolean }) | undefined> {
  return db.first<Done & { left: boolean }>(
    `select name as by, taken_at as at, not (active and role in ('owner', 'finance')) as left
     from staff.taken_payment join staff.member on member.id = taken_by where subject = $1`,
    [subject],
  )
}

/** The conditions of what waits for the member $1, or for others. Decided ones have a later place in the queue. */
const TURNS: Readonly<Record<Turn, string>> = {
  you: 'withdrawal.place < -100000000000000000 and withdrawals.waits_for(withdrawal, $1)',
  others: 'withdrawal.place < -100000000000000000 and not withdrawals.waits_for(withdrawal, $1)',
}

/** The condition of the state `reversing`, which is no stage. */
const REVERSING = `withdrawal.id = any (array(select app.number_in(substr(subject, 12))
  from staff.proposal where kind = 'reversal' and state = 'proposed'))`

/** The fields that a search text may match, each with an index: see `withdrawals.methods_ending`. */
const SOUGHT = `(withdrawal.id = app.number_in(?)
  or withdrawal.player_id = any (accounts.players_called(?)) or payout_key = app.reference_key(?)
  or withdrawal.id = any (array(select withdrawal_id from withdrawals.payout_transfer
    where payout_key = app.reference_key(?)))
  or pay_method_id = any (withdrawals.methods_ending(?)))`

/**
 * The list for staff.
 *
 * @param ask `staffId`: who asks; `q`: the number of a withdrawal, its player, the payee's last characters, or the reference of the payout
 */
export async function withdrawalPage(
  db: Queryable,
  ask: Ask<{
    staffId: number
    turn: Turn
    state: WithdrawalState
    playerId: number
    kind: PayMethodKind
    amountFrom: Amount
    amountUntil: Amount
    /** When it was requested: not before, and before. */
    from: Date
    until: Date
    hint: string
    q: string
  }>,
) {
  const source = { ...WITHDRAWALS, values: [ask.staffId ?? null] }
  const conditions = {
    ...(ask.turn && { [TURNS[ask.turn]]: true }),
    ...(ask.state === 'reversing' && { [REVERSING]: true }),
    ...(ask.state === 'to_pay' && { [`not ${IS_PROPOSED}`]: true }),
    'withdrawal.stage = ?': ask.state === 'reversing' ? 'to_pay' : ask.state,
    'withdrawal.player_id = ?': ask.playerId,
    'pay_method.kind = ?': ask.kind,
    'amount >= ?': ask.amountFrom,
    'amount <= ?': ask.amountUntil,
    'requested_at >= ?': ask.from,
    'requested_at < ?': ask.until,
    [SOUGHT]: ask.q,
  }
  const ids = ask.hint && (await idsWithHint(db, { source, ask, conditions, hint: ask.hint }))
  if (isRefusal(ids)) return ids
  return pageOf<Withdrawal>(db, source, ask, { ...conditions, 'withdrawal.id = any (?)': ids })
}

/**
 * The withdrawals that wait and have a hint, or neither a hint nor a note since the request if it is 'none': those of a
 * page, and more if there are more. Hints are computed, so a block of withdrawals is read after the other until there are enough.
 */
async function idsWithHint(
  db: Queryable,
  of: { source: Source; ask: Ask; conditions: Conditions; hint: string },
): Promise<bigint[] | Refusal> {
  const source = { ...of.source, columns: 'withdrawal.id, $1::integer as asker' }
  const conditions = {
    ...of.conditions,
    "withdrawal.stage = 'waiting'": true,
    ...(of.hint === 'none' && { [`not ${IS_NOTED}`]: true }),
  }
  const wanted = of.ask.limit ?? LIST_LIMIT_MAX
  const found: bigint[] = []
  for (let after: string | null | undefined = of.ask.after; after !== null; ) {
    const ask: Ask = { ...of.ask, after, limit: LIST_LIMIT_MAX }
    const block: ListPage<{ id: bigint }> | Refusal = await pageOf(db, source, ask, conditions)
    if (isRefusal(block)) return block
    const ids = block.list.map(({ id }) => id)
    const risks = await risksOf(db, ids)
    for (const [id, each] of risks) {
      const kinds = riskHints(each).map(({ kind }) => kind)
      if (of.hint === 'none' ? kinds.length === 0 : kinds.some((kind) => kind === of.hint))
        found.push(id)
    }
    after = found.length > wanted ? null : block.next
  }
  return found
}

type Pending = { id: bigint; amount: Amount; requestedAt: number; waitsForIdentity: boolean }

export function waitingWithdrawal(db: Queryable, playerId: number): Promise<Pending | undefined> {
  return db.first<Pending>(
    `select id, amount, requested_at as "requestedAt",
       withdrawals.waits_for_identity(withdrawal) as "waitsForIdentity"
     from withdrawals.withdrawal
     where player_id = $1 and state = 'waiting'`,
    [playerId],
  )
}

export type OwnWithdrawal = Pick<
  Withdrawal,
  'id' | 'amount' | 'paidPart' | 'kind' | 'shownNumber' | 'bankName' | 'requestedAt' | 'paidAt'
> & {
  /** sent: paid out by `reference`. returned: approved, but could not be paid. */
  status: 'waiting' | 'approved' | 'sent' | 'rejected' | 'returned'
  approvedAt: number | null
  reference: string | null
  /** Why it was rejected or returned. */
  why: string | null
}

const LATEST_SHOWN = 3

/** A player's latest requests, newest first, as he may know them; the open one is the newest. */
export function latestWithdrawals(db: Queryable, playerId: number): Promise<OwnWithdrawal[]> {
  return db.query<OwnWithdrawal>(
    `select withdrawal.id, amount, amount - withdrawals.still_owed(withdrawal) as "paidPart",
       kind, shown_number as "shownNumber", bank_name as "bankName",
       requested_at as "requestedAt",
       case when state in ('approved', 'reversed') then decided_at end as "approvedAt",
       case when sent then ${SENT_AT} end as "paidAt", case when sent then payout_reference end as reference,
       case when state = 'reversed' then 'returned' when sent then 'sent' else state end as status,
       case state when 'rejected' then reject_reason when 'reversed' then (select reason from staff.proposal
         where kind = 'reversal' and subject = 'withdrawal:' || withdrawal.id and proposal.state = 'confirmed') end as why
     from withdrawals.withdrawal
       join withdrawals.pay_method on pay_method.id = pay_method_id
       cross join lateral (select stage in ('paid', 'on_chain') as sent) payout
     where withdrawal.player_id = $1 order by withdrawal.id desc limit $2`,
    [playerId, LATEST_SHOWN],
  )
}

/**
 * In how many seconds nine of ten of the latest hundred payouts were sent after their request; null if there are fewer
 * than ten, which would tell of single players.
 */
export function usualSeconds(db: Queryable): Promise<number | null> {
  return db.value(
    `select case when count(*) >= 10 then percentile_disc(0.9) within group (order by took) end
     from (
       select ceil(extract(epoch from ${SENT_AT} - requested_at))::integer as took
       from withdrawals.withdrawal where paid_at is not null and stage in ('paid', 'on_chain') order by paid_at desc limit 100
     ) payout`,
  )
}

/** Until when a change to the account holds withdrawals, in milliseconds since 1970, or null. */
export function holdUntil(db: Queryable, playerId: number): Promise<number | null> {
  return callFunction<number | null>(db, 'withdrawals.hold_until', playerId)
}

/** `reason`: null if the request is accepted; `replay`: the key was used before. */
type Requested =
  | { reason: null; withdrawalId: bigint; cashAfter: Amount }
  | { reason: RefusalWord | 'replay'; withdrawalId: null; cashAfter: null }

/** Reserves the money of a withdrawal, or returns the reason to refuse. */
export function requestAmount(
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
  return tx.one<Requested>(
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
  )
}

/** The number of the posting by which a withdrawal's money was held, by which a balance is later or earlier. */
export function versionOf(
  db: Queryable,
  { playerId, id }: { playerId: number; id: bigint },
): Promise<bigint> {
  return db.value(
    `select posting.id from withdrawals.withdrawal join ledger.posting
       on holder_id = withdrawal.player_id and posting.booked_on = withdrawal.booked_on
         and kind = 'withdrawal' and reference = 'withdrawal:' || withdrawal.id
     where withdrawal.player_id = $1 and withdrawal.id = $2`,
    [playerId, id],
  )
}

type RestRequested =
  | { answer: 'requested'; id: bigint; amount: Amount }
  | {
      answer:
        | 'not_found'
        | 'not_closed'
        | 'pay_method_missing'
        | 'withdrawal_pending'
        | 'insufficient_balance'
    }

/** Reserves the rest of a closed account, or returns the reason to refuse. */
export function requestRestOf(
  tx: Transaction,
  request: { playerId: number; payMethodId: number; onDay: string; session: string },
): Promise<RestRequested> {
  return tx.one<RestRequested>(
    `select answer, withdrawal_id as id, amount from withdrawals.request_rest($1, $2, $3, $4)`,
    [request.playerId, request.payMethodId, request.onDay, request.session],
  )
}
