/** Where a player's money may go: one bank card and one virtual wallet. */
import { bareCardNumber, cardNumberFault } from '@sum28/domain/card-number.ts'
import { isTronAddress } from '#src/adapters/chain/tron-address.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { noteSensitiveChange } from '#src/modules/accounts/security-store.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal.ts'
import type { Sealer } from '#src/sealer.ts'
import {
  lockPayMethods,
  type PayMethod,
  type PayMethodKind,
  payMethodById,
  payMethodsNotSealedWith,
  payMethodsOf,
  replacePayMethod,
  resealPayMethod,
} from './pay-method-store.ts'

export type PayMethodInput = {
  kind: PayMethodKind
  /** Card number, with or without spaces and dashes, or wallet address. */
  number: string
  label: string
  bankName: string
  branchCode: string
  branchName: string
  note: string
}

/** How much of a card number may be shown. */
const SHOWN_DIGITS = 4

function purposeOf(playerId: number): string {
  return `pay method of ${playerId}`
}

/** The number as it is kept, or why it is none. */
function readNumber({ kind, number }: PayMethodInput): string | Refusal {
  if (kind === 'wallet') {
    return isTronAddress(number) ? number : malformed({ acc: 'tron_address' })
  }
  const fault = cardNumberFault(number)
  return fault ? malformed({ acc_name: `card_${fault}` }) : bareCardNumber(number)
}

/**
 * Saves a pay method in the place of the one of its kind, and holds withdrawals after it. One that
 * is the same as before changes nothing.
 *
 * @returns the present method, or malformed input by its wire field
 */
export async function savePayMethod(
  { db, sealer }: { db: Database; sealer: Sealer },
  { playerId, ...input }: PayMethodInput & { playerId: number },
): Promise<PayMethod | Refusal> {
  const number = readNumber(input)
  if (isRefusal(number)) return number
  if (input.kind === 'bank' && !input.bankName) return malformed({ acc_bank: 'required' })

  return db.transaction(async (tx) => {
    await lockPayMethods(tx, playerId)
    const before = (await payMethodsOf(tx, playerId)).find(({ kind }) => kind === input.kind)
    if (before && isSame(before, input) && openNumber(sealer, playerId, before) === number) {
      return before
    }
    const method = {
      kind: input.kind,
      sealedNumber: sealer.seal(Buffer.from(number), purposeOf(playerId)),
      keyId: sealer.keyId,
      shownNumber: input.kind === 'bank' ? `•••• ${number.slice(-SHOWN_DIGITS)}` : number,
      label: input.label,
      bankName: input.bankName,
      branchCode: input.branchCode,
      branchName: input.branchName,
    }
    const id = await replacePayMethod(tx, { ...method, playerId, note: input.note })
    await noteSensitiveChange(tx, playerId)
    await notify(tx, {
      playerId,
      kind: 'pay_method_changed',
      facts: { payee: payeeText(method) },
    })
    return { id, ...method }
  })
}

function isSame(before: PayMethod, input: PayMethodInput): boolean {
  return (['label', 'bankName', 'branchCode', 'branchName'] as const).every(
    (field) => before[field] === input[field],
  )
}

/** The whole number of a pay method, for who has to pay to it. */
export function openNumber(
  sealer: Sealer,
  playerId: number,
  { sealedNumber, keyId }: Pick<PayMethod, 'sealedNumber' | 'keyId'>,
): string {
  return sealer.open(sealedNumber, purposeOf(playerId), keyId).toString()
}

export async function payeeNumber(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  payMethodId: number,
): Promise<string> {
  const method = await payMethodById(db, payMethodId)
  if (!method) throw new Error(`the pay method ${payMethodId} of a withdrawal is gone`)
  return openNumber(sealer, method.playerId, method)
}

/** A pay method in a sentence: `Bank of Hanoi •••• 4242`, `TUEZ…GWYdH`. */
export function payeeText({
  kind,
  shownNumber,
  bankName,
}: Pick<PayMethod, 'kind' | 'shownNumber' | 'bankName'>): string {
  return kind === 'bank'
    ? `${bankName} ${shownNumber}`
    : `${shownNumber.slice(0, 4)}…${shownNumber.slice(-5)}`
}

/** Seals numbers of an earlier key with the present one, some at a time. Gives how many. */
export async function resealPayMethods(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  limit: number,
): Promise<number> {
  const rows = await payMethodsNotSealedWith(db, sealer.keyId, limit)
  for (const row of rows) {
    const number = openNumber(sealer, row.playerId, row)
    await resealPayMethod(db, {
      id: row.id,
      sealedNumber: sealer.seal(Buffer.from(number), purposeOf(row.playerId)),
      keyId: sealer.keyId,
    })
  }
  return rows.length
}
