/** Present and past held deposits: the list for staff, and paying them back. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { RefusalWord } from '#src/refusal/refusal-words.ts'

/** `returning`: a proposal to pay it back is open. */
export type HeldState = 'held' | 'returning' | 'released' | 'returned'

export type HeldDeposit = {
  id: bigint
  playerId: number
  username: string
  amount: Amount
  because: 'limit' | 'excluded' | 'review'
  by: 'chain' | 'bank'
  /** The address that sent it, or the bank's reference. */
  origin: string
  reference: string
  heldAt: number
  state: HeldState
  proposedBy: string | null
  proposedAt: number | null
  reason: string | null
  decidedBy: string | null
  decidedAt: number | null
  returnReference: string | null
}

const HELD = `held.id, held.player_id as "playerId", player.username, held.amount, because,
  case when from_address is null then 'bank' else 'chain' end as by,
  coalesce(from_address, bank.bank_reference, held.reference) as origin, held.reference,
  held_at as "heldAt",
  case when held.state = 'held' and return_proposed_at is not null then 'returning' else held.state end as state,
  proposer.name as "proposedBy", return_proposed_at as "proposedAt", return_reason as reason,
  decider.name as "decidedBy", held.decided_at as "decidedAt", return_reference as "returnReference"`

const FROM_HELD = `from protection.held_deposit held
  join accounts.player on player.id = held.player_id
  left join deposits.bank_deposit bank
    on bank.id = case when held.reference ~ '^bank:\\d{1,18}$' then substr(held.reference, 6)::bigint end
  left join staff.member proposer on proposer.id = return_proposed_by
  left join staff.member decider on decider.id = held.decided_by`

/** The condition of each state, as in the index of states. */
const OF_STATE: Record<HeldState, string> = {
  held: `and held.state = 'held' and return_proposed_at is null`,
  returning: `and held.state = 'held' and return_proposed_at is not null`,
  released: `and held.state = 'released'`,
  returned: `and held.state = 'returned'`,
}

/** The fields that a search text may match, each with an index. */
const SOUGHT = `($2::text is null or held.id = app.number_in($2)
  or held.player_id = any (accounts.players_called($2))
  or held.reference = any (array(select 'bank:' || id from deposits.bank_deposit
    where reference_key = app.reference_key($2)))
  or held.reference = any (array(select 'usdt:' || tx_id || ':' || log_index from deposits.transfer
    where tx_id = lower($2))))`

/** @param ask `q`: the number of a held deposit, its player, the bank's reference, or the transaction */
export async function heldDepositPage(
  db: Queryable,
  {
    state,
    playerId,
    q,
    ...ask
  }: KeysetRequest & {
    state?: HeldState | undefined
    playerId?: number | undefined
    q?: string | undefined
  },
): Promise<{ list: HeldDeposit[]; next: string | null } | Refusal> {
  const id: KeyColumn = { sql: 'held.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 3 })
  if (isRefusal(key)) return key
  const rows = await db.query<HeldDeposit & KeyedRow>(
    `select ${HELD}, ${key.columns} ${FROM_HELD}
     where ($1::integer is null or held.player_id = $1) ${state ? OF_STATE[state] : ''}
       and ${SOUGHT} and ${key.where} ${key.tail}`,
    [playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

export async function heldDepositById(db: Queryable, id: number): Promise<HeldDeposit | undefined> {
  const [row] = await db.query<HeldDeposit>(`select ${HELD} ${FROM_HELD} where held.id = $1`, [id])
  return row
}

type Answer<Done extends string, Word extends RefusalWord> = Promise<Done | Word>

type Decision = { id: number; session: string }

export function proposeReturnOf(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'proposed', 'not_found' | 'decided' | 'already_proposed'> {
  return callFunction(tx, 'console_money.propose_return($1, $2, $3)', [id, reason, session])
}

export function refuseReturnOf(
  tx: Transaction,
  { id, reason, session }: Decision & { reason: string },
): Answer<'refused', 'not_found' | 'decided' | 'not_proposed'> {
  return callFunction(tx, 'console_money.refuse_return($1, $2, $3)', [id, reason, session])
}

/** @param onDay the day of booking, in the operator's time zone */
export function confirmReturnOf(
  tx: Transaction,
  { id, reference, onDay, session }: Decision & { reference: string; onDay: string },
): Answer<'paid', 'not_found' | 'decided' | 'not_proposed' | 'same_person' | 'reference_used'> {
  const values = [id, reference, referenceKey(reference), onDay, session]
  return callFunction(tx, 'console_money.confirm_return($1, $2, $3, $4, $5)', values)
}
