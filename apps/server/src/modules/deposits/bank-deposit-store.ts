/** The SQL of deposits by bank: the operator's account, and the bank transfers that staff recorded. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type KeyColumn, type KeyedRow, type KeysetRequest, keyset } from '#src/db/keyset.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'

/** The operator's account that players send to. */
export type BankAccount = { bankName: string; holder: string; number: string }

/** The account, or null if players cannot deposit by bank. */
export async function bankAccountOf(db: Queryable): Promise<BankAccount | null> {
  const [row] = await db.query<BankAccount>(
    `select bank_name as "bankName", holder, number from deposits.bank_account`,
  )
  return row ?? null
}

/**
 * Replaces the account, or removes it for null, and writes both into the audit log: the database allows neither
 * alone.
 */
export async function putBankAccount(
  db: Queryable,
  account: BankAccount | null,
  session: string,
): Promise<void> {
  await db.query(`select deposits.set_bank_account($1, $2, $3, $4)`, [
    account?.bankName,
    account?.holder,
    account?.number,
    session,
  ])
}

export type BankDepositState = 'recorded' | 'confirmed' | 'refused'

export type BankDeposit = {
  id: number
  playerId: number
  username: string
  amount: Amount
  reference: string
  state: BankDepositState
  /** Names of staff. */
  recordedBy: string
  recordedAt: number
  decidedBy: string | null
  decidedAt: number | null
}

const BANK_DEPOSIT = `bank_deposit.id::integer, player_id as "playerId", username, amount,
  bank_reference as reference, bank_deposit.state, recorder.name as "recordedBy",
  recorded_at as "recordedAt", decider.name as "decidedBy", decided_at as "decidedAt"`
const WITH_NAMES = `deposits.bank_deposit
  join accounts.player on player.id = player_id
  join staff.member recorder on recorder.id = recorded_by
  left join staff.member decider on decider.id = decided_by`

/**
 * One page, newest first; or invalid_input if the cursor does not belong to this list.
 *
 * @param ask `q`: the number of a deposit, its player, or the bank's reference
 */
export async function bankDepositPage(
  db: Queryable,
  {
    state,
    playerId,
    q,
    ...ask
  }: KeysetRequest & {
    state?: BankDepositState | undefined
    playerId?: number | undefined
    q?: string | undefined
  },
): Promise<{ list: BankDeposit[]; next: string | null } | Refusal> {
  const id: KeyColumn = { sql: 'bank_deposit.id', type: 'bigint' }
  const key = keyset(ask, { sorts: { id }, id, firstValue: 4 })
  if (isRefusal(key)) return key
  const rows = await db.query<BankDeposit & KeyedRow>(
    `select ${BANK_DEPOSIT}, ${key.columns} from ${WITH_NAMES}
     where ($1::text is null or bank_deposit.state = $1) and ($2::integer is null or player_id = $2)
       and ($3::text is null or bank_deposit.id = app.number_in($3)
         or player_id = any (accounts.players_called($3)) or reference_key = app.reference_key($3))
       and ${key.where} ${key.tail}`,
    [state ?? null, playerId ?? null, q ?? null, ...key.values],
  )
  return key.page(rows)
}

export async function bankDepositById(db: Queryable, id: number): Promise<BankDeposit | undefined> {
  const [row] = await db.query<BankDeposit>(
    `select ${BANK_DEPOSIT} from ${WITH_NAMES} where bank_deposit.id = $1`,
    [id],
  )
  return row
}

/** Records a deposit; null if the bank's reference was recorded before. */
export async function addBankDeposit(
  tx: Transaction,
  deposit: { playerId: number; amount: Amount; reference: string; session: string },
): Promise<number | null> {
  const { id } = only(
    await tx.query<{ id: number | null }>(
      `select deposits.record_bank_deposit($1, $2, $3, $4, $5)::integer as id`,
      [
        deposit.playerId,
        deposit.amount,
        deposit.reference,
        referenceKey(deposit.reference),
        deposit.session,
      ],
    ),
  )
  return id
}

type Confirmed =
  | 'confirmed'
  | 'not_found'
  | 'decided'
  | 'same_person'
  | 'credited'
  | 'reference_used'

/** Confirms and credits; the day of booking is in the operator's time zone. */
export function confirmAndCredit(
  tx: Transaction,
  { id, session, onDay }: { id: number; session: string; onDay: string },
): Promise<Confirmed> {
  return callFunction(tx, 'deposits.confirm_bank_deposit($1, $2, $3)', [id, session, onDay])
}

export function refuseRecorded(
  tx: Transaction,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<'refused' | 'not_found' | 'decided'> {
  return callFunction(tx, 'deposits.refuse_bank_deposit($1, $2, $3)', [id, session, reason])
}

/** The player that a deposit may be recorded for: a person's account, whatever its state. */
export async function depositor(
  db: Queryable,
  playerId: number,
): Promise<{ groupId: 1 | 2 } | undefined> {
  const [row] = await db.query<{ groupId: 1 | 2 }>(
    `select group_id as "groupId" from accounts.player where id = $1 and accounts.is_person(player)`,
    [playerId],
  )
  return row
}
