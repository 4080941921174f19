import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  malformed,
  type Refusal,
  refuse,
  refuseAmountBelow,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import {
  addBankDeposit,
  type BankAccount,
  bankDepositById,
  confirmAndCredit,
  depositor,
  putBankAccount,
  refuseRecorded,
} from './bank-deposit-store.ts'

/** A cent: the smallest amount of two decimals. */
const AMOUNT_MIN: Amount = 10_000n

/** A transaction's id, with any text around it; the database looks for the same. */
const TRANSACTION = /[0-9a-f]{64}/i

/**
 * Records a player's transfer to the operator's bank account. Nothing is credited before another person confirms it.
 * A USDT transaction is refused: the chain credits it, or staff assign it.
 *
 * @returns the deposit's id, or not_found (no such person), member_only, reference_used,
 * reference_is_transfer, below_minimum
 */
export async function recordBankDeposit(
  db: Database,
  deposit: {
    playerId: number
    amount: Amount
    /** The bank's reference: one deposit for each, whatever its case and blanks. */
    reference: string
    session: string
  },
): Promise<{ id: number } | Refusal> {
  const { playerId, amount, reference, session } = deposit
  if (amount < AMOUNT_MIN) return refuseAmountBelow(formatAmount(AMOUNT_MIN))
  if (TRANSACTION.test(reference.replaceAll(/\s/g, ''))) return refuse('reference_is_transfer')
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found')
  if (player.groupId !== 1) return refuse('member_only')
  return asStaff(db, async (tx) => {
    const id = await addBankDeposit(tx, deposit)
    if (id === null) return refuse('reference_used')
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_recorded',
      subject: `bank_deposit:${id}`,
      details: { player_id: playerId, amount: formatAmount(amount), reference },
    })
    return { id }
  })
}

/**
 * Confirms a bank deposit that another person recorded: it is credited, once, and the player is notified.
 *
 * @returns null, or not_found, already_decided, second_person_needed
 */
export async function confirmBankDeposit(
  deps: { db: Database; timeZone: string; now: () => number },
  { id, session }: { id: number; session: string },
): Promise<null | Refusal> {
  return asStaff(deps.db, async (tx) => {
    const onDay = dayOf(deps.timeZone, deps.now())
    const word = await confirmAndCredit(tx, { id, session, onDay })
    const deposit = await bankDepositById(tx, id)
    if (word === 'decided') return decidedBefore(deposit?.decidedBy)
    if (word !== 'confirmed') return refuseByWord(word)
    if (!deposit) throw new Error(`bank deposit ${id} was confirmed and is not there`)
    const { playerId, reference } = deposit
    const amount = formatAmount(deposit.amount)
    const held = await isHeld(tx, `bank:${id}`)
    await notifyOfDeposits(tx, [{ playerId, amount: deposit.amount, held }])
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_confirmed',
      subject: `bank_deposit:${id}`,
      details: { player_id: playerId, amount, reference },
    })
    return null
  })
}

/**
 * Refuses a wrongly recorded bank deposit: nothing is credited, and its reference can be recorded again. A cashier
 * may refuse what he recorded himself.
 *
 * @returns null, or not_found, already_decided
 */
export async function refuseBankDeposit(
  db: Database,
  { id, session, reason }: { id: number; session: string; reason: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await refuseRecorded(tx, { id, session, reason })
    if (word === 'decided') return decidedBefore((await bankDepositById(tx, id))?.decidedBy)
    if (word !== 'refused') return refuseByWord(word)
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_refused',
      subject: `bank_deposit:${id}`,
      details: { reason },
    })
    return null
  })
}

/**
 * Sets the account that players send bank deposits to. Without any field there is no account from now on. The audit
 * log records the previous account and the new one: both were shown to every player.
 *
 * @returns the account, null for none, or malformed if only some of the fields are given
 */
export async function setBankAccount(
  db: Database,
  {
    session,
    bankName,
    holder,
    number,
  }: {
    session: string
    bankName: string | undefined
    holder: string | undefined
    number: string | undefined
  },
): Promise<BankAccount | null | Refusal> {
  const given = { bankname: bankName, banknum: number, bankxm: holder }
  const missing = Object.entries(given).filter(([, value]) => value === undefined)
  const account =
    bankName === undefined || holder === undefined || number === undefined
      ? null
      : { bankName, holder, number }
  if (account === null && missing.length < 3) {
    return malformed(Object.fromEntries(missing.map(([field]) => [field, 'required'])))
  }
  return asStaff(db, async (tx) => {
    await putBankAccount(tx, account, session)
    return account
  })
}
