import { isDeepStrictEqual } from 'node:util'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { notifyOfDeposits } from '#src/modules/protection/notify-of-deposits.ts'
import { isHeld } from '#src/modules/protection/protection-store.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import {
  type ActingOwner,
  type Actor,
  amountOf,
  type KindRules,
  moved,
  type Proposal,
  propose,
  proposeAsOwner,
} from '#src/modules/staff/proposal.ts'
import {
  malformed,
  type Refusal,
  refuse,
  refuseAmountBelow,
  refuseByWord,
} from '#src/refusal/refusal.ts'

/** A cent: the smallest amount of two decimals. */
const AMOUNT_MIN: Amount = 10_000n

/** A transaction's id, with any text around it; the database looks for the same. */
const TRANSACTION = /[0-9a-f]{64}/i

type Content = { reference: string; other_than?: number }

/** A player's transfer to the operator's bank account, credited when two or three persons have looked at it. */
export const BANK_DEPOSIT: KindRules = {
  adds: 'other_than',

  changesOf(proposal) {
    const { reference, other_than } = proposal.content as Content
    const text = (what: string, after: string) => ({ what, before: null, after })
    return [
      ...moved(proposal, amountOf(proposal)),
      text('reference', reference),
      ...(other_than === undefined ? [] : [text('other_than', String(other_than))]),
    ]
  },

  auditOf(proposal) {
    const { id, playerId, state, firstConfirmedBy, endReason, content } = proposal
    const { reference, other_than } = content as Content
    const proposed = firstConfirmedBy === null ? 'recorded' : 'first_confirmation'
    return {
      action: `bank_deposit_${state === 'proposed' ? proposed : state}`,
      subject: `bank_deposit:${id}`,
      details: {
        player_id: playerId,
        amount: formatAmount(amountOf(proposal)),
        reference,
        ...(other_than !== undefined && { other_than }),
        ...(endReason !== null && { reason: endReason }),
      },
    }
  },

  notify: (tx, proposal) => notifyIfConfirmed(tx, proposal, `bank:${proposal.id}`),

  async refusalOf(tx, word, { id, content }) {
    if (word !== 'reference_used') return refuseByWord(word)
    const { reference, other_than } = content as Content
    return usedBy(
      await (id === undefined ? latestWith(tx, reference) : depositById(tx, other_than)),
    )
  },
}

/** Notifies the player of a deposit that staff have confirmed, by the reference of its posting. */
export async function notifyIfConfirmed(
  tx: Transaction,
  proposal: Proposal,
  reference: string,
): Promise<void> {
  const { playerId, state } = proposal
  if (playerId === null || state !== 'confirmed') return
  const held = await isHeld(tx, reference)
  await notifyOfDeposits(tx, [{ playerId, amount: amountOf(proposal), held }])
}

/**
 * Records a player's transfer to the operator's bank account. Nothing is credited before another person confirms it.
 * A USDT transaction is refused: the chain credits it, or staff assign it.
 *
 * @returns the deposit's id, or not_found (no such person), member_only, reference_used (by another deposit than
 * `otherThan`), reference_is_transfer, below_minimum
 */
export async function recordBankDeposit(
  db: Database,
  deposit: Actor & {
    playerId: number
    amount: Amount
    /** The bank's reference, whatever its case and blanks. */
    reference: string
    /** The latest deposit with this reference, if the sender says that this is another transfer. */
    otherThan?: number | undefined
  },
): Promise<{ id: number } | Refusal> {
  const { playerId, amount, reference, otherThan, ...actor } = deposit
  if (amount < AMOUNT_MIN) return refuseAmountBelow(formatAmount(AMOUNT_MIN))
  if (TRANSACTION.test(reference.replaceAll(/\s/g, ''))) return refuse('reference_is_transfer')
  const player = await depositor(db, playerId)
  if (!player) return refuse('not_found')
  if (player.groupId !== 1) return refuse('member_only')
  const content = {
    amount: String(amount),
    reference,
    ...(otherThan !== undefined && { other_than: otherThan }),
  }
  const draft = {
    kind: 'bank_deposit',
    subject: `player:${playerId}`,
    content,
    reason: null,
  } as const
  return asStaff(db, (tx) => propose(tx, BANK_DEPOSIT, { ...draft, ...actor }))
}

type BankDeposit = { id: bigint; username: string; amount: Amount }

/** The refusal of a deposit whose reference another one has: it shows that one, so that the two can be compared. */
function usedBy(other: BankDeposit | undefined): Refusal {
  if (!other) return malformed({ other_than: 'invalid' })
  const { id, username, amount } = other
  const details = { other_than: Number(id), username, amount: formatAmount(amount) }
  return { ...refuse('reference_used', details), wording: 'reference_of_deposit' }
}

function depositById(db: Queryable, id: number | null = null): Promise<BankDeposit | undefined> {
  return db.first<BankDeposit>(
    `select bank_deposit.id, username, amount from deposits.bank_deposit join accounts.player on player.id = player_id
     where bank_deposit.id = $1`,
    [id],
  )
}

/** The latest deposit with this reference that is not refused. */
async function latestWith(db: Queryable, reference: string): Promise<BankDeposit | undefined> {
  const id = await db.value<number | null>(
    `select max(id)::float8 from staff.proposal
       where kind = 'bank_deposit' and app.reference_key(content ->> 'reference') = app.reference_key($1)
         and state in ('proposed', 'confirmed')`,
    [reference],
  )
  return depositById(db, id)
}

const account = z.object({ bankName: z.string(), holder: z.string(), number: z.string() })
const accountChange = z.object({ before: account.nullable(), after: account.nullable() })

function accountText(account: BankAccount | null): string {
  return account ? `${account.bankName} · ${account.holder} · ${account.number}` : '—'
}

/** The account that players send bank deposits to: two owners decide it. */
export const BANK_ACCOUNT: KindRules = {
  changesOf({ content }) {
    const { before, after } = accountChange.parse(content)
    return [{ what: 'bank_account', before: accountText(before), after: accountText(after) }]
  },

  auditOf({ subject, state, reason, endReason, content }) {
    return {
      action: `bank_account_${endReason === null ? state : 'ended'}`,
      subject,
      details: { ...accountChange.parse(content), reason: endReason ?? reason },
    }
  },

  refusalOf: async (_tx, word) => (word === 'content_changed' ? CHANGED : refuseByWord(word)),
}

const NO_ACCOUNT: BankAccount = { bankName: '', holder: '', number: '' }

/** It is not known by whom. */
const CHANGED = refuseByWord('content_changed', { by: '—' })

/**
 * Proposes the account that players send bank deposits to. Without any field none will be shown.
 *
 * @param seen the account that the owner saw; empty texts if he saw none
 * @returns the proposal's state, or invalid_input if only some of the fields are given or nothing changes,
 * content_changed if the account is not what the owner saw, or what `proposeAsOwner` refuses
 */
export async function proposeBankAccount(
  db: Database,
  fields: Record<'bankname' | 'banknum' | 'bankxm', string | undefined>,
  seen: BankAccount,
  owner: ActingOwner & { reason: string },
): Promise<{ state: 'proposed' | 'confirmed' } | Refusal> {
  const { bankname: bankName, banknum: number, bankxm: holder } = fields
  const missing = Object.entries(fields).filter(([, value]) => value === undefined)
  const after =
    bankName === undefined || holder === undefined || number === undefined
      ? null
      : { bankName, holder, number }
  if (after === null && missing.length < 3) {
    return malformed(Object.fromEntries(missing.map(([field]) => [field, 'required'])))
  }
  const before = await bankAccountOf(db)
  if (!isDeepStrictEqual(before ?? NO_ACCOUNT, seen)) return CHANGED
  if (accountText(before) === accountText(after)) return malformed({ banknum: 'nothing_changed' })
  const draft = {
    kind: 'bank_account',
    subject: 'bank_account',
    content: { before, after },
  } as const
  return proposeAsOwner(db, BANK_ACCOUNT, { ...draft, ...owner })
}

export type BankAccount = { bankName: string; holder: string; number: string }

/** The account, or null if players cannot deposit by bank. */
export async function bankAccountOf(db: Queryable): Promise<BankAccount | null> {
  const text = `select bank_name as "bankName", holder, number from deposits.bank_account`
  return (await db.first<BankAccount>(text)) ?? null
}

/** The player that a deposit may be recorded for: a person's account, whatever its state. */
export function depositor(
  db: Queryable,
  playerId: number,
): Promise<{ groupId: 1 | 2 } | undefined> {
  return db.first<{ groupId: 1 | 2 }>(
    `select group_id as "groupId" from accounts.player where id = $1 and accounts.is_person(player)`,
    [playerId],
  )
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
