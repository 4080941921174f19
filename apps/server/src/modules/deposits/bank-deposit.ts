import type { StaffBankDeposit } from '@sum28/contract/staff-routes.ts'
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
import { referenceKey } from '#src/formats/payment-reference.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import {
  decidedBefore,
  malformed,
  type Refusal,
  refuse,
  refuseAmountBelow,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

/** A cent: the smallest amount of two decimals. */
const AMOUNT_MIN: Amount = 10_000n

/** A transaction's id, with any text around it; the database looks for the same. */
const TRANSACTION = /[0-9a-f]{64}/i

/**
 * Records a player's transfer to the operator's bank account. Nothing is credited before another person confirms it.
 * A USDT transaction is refused: the chain credits it, or staff assign it.
 *
 * @returns the deposit's id, or not_found (no such person), member_only, reference_used (by another deposit than
 * `otherThan`), reference_is_transfer, below_minimum
 */
export async function recordBankDeposit(
  db: Database,
  deposit: {
    playerId: number
    amount: Amount
    /** The bank's reference, whatever its case and blanks. */
    reference: string
    /** The latest deposit with this reference, if the sender says that this is another transfer. */
    otherThan?: number | undefined
    session: string
  },
): Promise<{ id: number } | Refusal> {
  const { playerId, amount, reference, otherThan, session } = deposit
  if (amount < AMOUNT_MIN) return refuseAmountBelow(formatAmount(AMOUNT_MIN))
  if (TRANSACTION.test(reference.replaceAll(/\s/g, ''))) return refuse('reference_is_transfer')
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found')
  if (player.groupId !== 1) return refuse('member_only')
  return asStaff(db, async (tx) => {
    const id = await addBankDeposit(tx, deposit)
    if (id === null) return usedBy(await latestWithReference(tx, reference))
    await appendAudit(tx, {
      session,
      action: 'bank_deposit_recorded',
      subject: `bank_deposit:${id}`,
      details: {
        ...{ player_id: playerId, amount: formatAmount(amount), reference },
        ...(otherThan === undefined ? {} : { other_than: otherThan }),
      },
    })
    return { id }
  })
}

/** The refusal of a deposit whose reference another one has: it shows that one, so that the two can be compared. */
function usedBy(other: BankDeposit | undefined): Refusal {
  if (!other) return malformed({ other_than: 'invalid' })
  const { id, username, amount } = other
  const details = { other_than: Number(id), username, amount: formatAmount(amount) }
  return { ...refuse('reference_used', details), wording: 'reference_of_deposit' }
}

/**
 * Confirms a bank deposit that another person recorded: it is credited, once, and the player is notified. Above the
 * limits of adjustments a second confirmation is needed, of a third person.
 *
 * @returns what it was, or not_found, already_decided, second_person_needed, or reference_used: the deposit before with
 * its reference was not named
 */
export async function confirmBankDeposit(
  deps: { db: Database; timeZone: string; now: () => number },
  { id, otherThan, session }: { id: number; otherThan?: number | undefined; session: string },
): Promise<'first_confirmation' | 'confirmed' | Refusal> {
  return asStaff(deps.db, async (tx) => {
    const onDay = dayOf(deps.timeZone, deps.now())
    const word = await confirmAndCredit(tx, { id, otherThan, session, onDay })
    const deposit = await bankDepositById(tx, id)
    if (word === 'decided') return decidedBefore(deposit?.decidedBy)
    if (word === 'reference_used') {
      return usedBy(await bankDepositById(tx, deposit?.otherThan ?? 0))
    }
    if (word !== 'confirmed' && word !== 'first') return refuseByWord(word)
    if (!deposit) throw new Error(`bank deposit ${id} was confirmed and is not there`)
    const { playerId, reference } = deposit
    const amount = formatAmount(deposit.amount)
    const is = word === 'first' ? 'first_confirmation' : 'confirmed'
    if (is === 'confirmed') {
      const held = await isHeld(tx, `bank:${id}`)
      await notifyOfDeposits(tx, [{ playerId, amount: deposit.amount, held }])
    }
    await appendAudit(tx, {
      session,
      action: `bank_deposit_${is}`,
      subject: `bank_deposit:${id}`,
      details: {
        ...{ player_id: playerId, amount, reference },
        ...(deposit.otherThan === null ? {} : { other_than: deposit.otherThan }),
      },
    })
    return is
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
  const fields = { bankname: bankName, banknum: number, bankxm: holder }
  const missing = Object.entries(fields).filter(([, value]) => value === undefined)
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
    other_than::integer as "otherThan", bank_deposit.state, recorder.name as "recordedBy", recorded_at as "recordedAt",
    first_confirmer.name as "firstConfirmedBy",
    decider.name as "decidedBy", decided_at as "decidedAt"`,
  from: `deposits.bank_deposit
    join accounts.player on player.id = player_id
    join staff.member recorder on recorder.id = recorded_by
    left join staff.member first_confirmer on first_confirmer.id = first_confirmed_by
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

/** The latest deposit with this reference that is not refused. */
async function latestWithReference(
  db: Queryable,
  reference: string,
): Promise<BankDeposit | undefined> {
  const [latest] = await db.query<{ id: number | null }>(
    `select max(id)::integer as id from deposits.bank_deposit where reference_key = $1 and state <> 'refused'`,
    [referenceKey(reference)],
  )
  return bankDepositById(db, latest?.id ?? 0)
}

function bankDepositById(db: Queryable, id: number): Promise<BankDeposit | undefined> {
  return oneOf(db, BANK_DEPOSITS, id)
}

/** Records a deposit; null if others have its reference, and the latest of them is not the one that was named. */
export async function addBankDeposit(
  tx: Transaction,
  deposit: {
    playerId: number
    amount: Amount
    reference: string
    otherThan?: number | undefined
    session: string
  },
): Promise<number | null> {
  const { id } = only(
    await tx.query<{ id: number | null }>(
      `select deposits.record_bank_deposit($1, $2, $3, $4, $5, $6)::integer as id`,
      [
        deposit.playerId,
        deposit.amount,
        deposit.reference,
        referenceKey(deposit.reference),
        deposit.session,
        deposit.otherThan,
      ],
    ),
  )
  return id
}

/** Confirms and credits; the day of booking is in the operator's time zone. */
export function confirmAndCredit(
  tx: Transaction,
  deposit: { id: number; otherThan?: number | undefined; session: string; onDay: string },
): Promise<'confirmed' | 'first' | 'not_found' | 'decided' | 'same_person' | 'reference_used'> {
  const { id, otherThan, session, onDay } = deposit
  return callFunction(tx, 'deposits.confirm_bank_deposit', id, session, onDay, otherThan)
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

/**
 * The reference that a player puts on his bank transfer: a creditor reference of ISO 11649, `RF`, two check digits,
 * then his id, which staff read. It never changes.
 * Banks that know the standard check it before they send, and a wrong or swapped digit makes it invalid.
 */
export function bankReference(playerId: number): string {
  return `RF${String(98 - remainder(`${playerId}RF00`)).padStart(2, '0')}${playerId}`
}

/** ISO 7064, MOD 97-10: letters count as 10 to 35. */
function remainder(text: string): number {
  return Number(BigInt(text.replaceAll(/[A-Z]/gu, (one) => String(Number.parseInt(one, 36)))) % 97n)
}
