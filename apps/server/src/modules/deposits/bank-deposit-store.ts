/** The SQL of deposits by bank: the operator's account, and the bank transfers that staff recorded. */
import type { StaffBankDeposit } from '@sum28/contract/staff-routes.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, only, type Queryable, type Transaction } from '#src/db/database.ts'
import { type Ask, oneOf, pageOf } from '#src/db/list.ts'
import { referenceKey } from '#src/formats/payment-reference.ts'
import type { RowOf } from '#src/wire-form.ts'

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

export type BankDeposit = RowOf<StaffBankDeposit, 'amount'>

const BANK_DEPOSITS = {
  columns: `bank_deposit.id::integer, player_id as "playerId", username, amount, bank_reference as reference,
    bank_deposit.state, recorder.name as "recordedBy", recorded_at as "recordedAt",
    decider.name as "decidedBy", decided_at as "decidedAt"`,
  from: `deposits.bank_deposit
    join accounts.player on player.id = player_id
    join staff.member recorder on recorder.id = recorded_by
    left join staff.member decider on decider.id = decided_by`,
  id: { sql: 'bank_deposit.id', type: 'bigint' },
} as const

/** @param ask `q`: the number of a deposit, its player, or the bank's reference */
export function bankDepositPage(
  db: Queryable,
  ask: Ask<{ state: BankDeposit['state']; playerId: number; q: string }>,
) {
  return pageOf<BankDeposit>(db, BANK_DEPOSITS, ask, {
    'bank_deposit.state = ?': ask.state,
    'player_id = ?': ask.playerId,
    [`(bank_deposit.id = app.number_in(?) or player_id = any (accounts.players_called(?))
       or reference_key = app.reference_key(?))`]: ask.q,
  })
}

export function bankDepositById(db: Queryable, id: number): Promise<BankDeposit | undefined> {
  return oneOf(db, BANK_DEPOSITS, id)
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

/** Confirms and credits; the day of booking is in the operator's time zone. */
export function confirmAndCredit(
  tx: Transaction,
  { id, session, onDay }: { id: number; session: string; onDay: string },
): Promise<'confirmed' | 'not_found' | 'decided' | 'same_person'> {
  return callFunction(tx, 'deposits.confirm_bank_deposit', id, session, onDay)
}

export function refuseRecorded(
  tx: Transaction,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<'refused' | 'not_found' | 'decided'> {
  return callFunction(tx, 'deposits.refuse_bank_deposit', id, session, reason)
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
