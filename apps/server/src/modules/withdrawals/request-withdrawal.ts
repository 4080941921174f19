import { createHash } from 'node:crypto'
import { type Amount, formatAmount, MICRO } from '@sum28/domain/money.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { useOfKey } from '#src/db/key-store.ts'
import { checkSecurityCode } from '#src/modules/accounts/security-code.ts'
import { codeState } from '#src/modules/accounts/security-store.ts'
import { notify } from '#src/modules/inbox/notify.ts'
import {
  isRefusal,
  malformed,
  type Refusal,
  type RefusalWord,
  refusalWord,
  refuse,
  refuseAmountBelow,
  refuseByWord,
} from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { type PayMethodKind, payeeText, payMethodsOf } from './pay-methods.ts'
import { requestAmount, withdrawalById } from './withdrawal-store.ts'

export const WITHDRAWAL_MIN: Amount = 100n * MICRO

export type WithdrawalDeps = {
  db: Database
  cipher: SecretCipher
  timeZone: string
  now: () => number
}

/** A pay method by its id, by its kind, or by both, which must then agree. */
export type PayTo = { id: number; kind?: PayMethodKind } | { id?: never; kind: PayMethodKind }

export type WithdrawalRequest = {
  playerId: number
  payTo: PayTo | null
  amount: Amount
  code: string | undefined
  idempotencyKey: string | null
  /** The caller's, as `networkOf` names it. */
  network: string
}

export type WithdrawalReply = { id: bigint; amount: Amount; cashAfter: Amount; replayed: boolean }

/**
 * Requests a withdrawal: checks the code, reserves the money, and notifies the player, once for each idempotency key.
 *
 * @returns the request, or pay_method_missing, security_code_not_set, below_minimum, invalid_input (no
 * method chosen, no code), security_code_wrong, security_code_locked, account_locked,
 * withdrawal_on_hold, withdrawal_pending, insufficient_balance or idempotency_conflict
 */
export async function requestWithdrawal(
  deps: WithdrawalDeps,
  request: WithdrawalRequest,
): Promise<WithdrawalReply | Refusal> {
  const { db } = deps
  const { playerId, amount } = request
  const keyed = { playerId, key: request.idempotencyKey, inputHash: hashOf(request) }

  // A repeated request gets the first answer, before its code is checked or counted.
  const earlier = await replay(deps, keyed)
  if (earlier) return earlier

  const methods = await payMethodsOf(db, playerId)
  if (methods.length === 0) return refuse('pay_method_missing')
  if (!(await codeState(db, playerId)).isSet) return refuse('security_code_not_set')
  if (amount < WITHDRAWAL_MIN) {
    return refuseAmountBelow(formatAmount(WITHDRAWAL_MIN))
  }
  const { payTo, code } = request
  if (!payTo) return malformed({ pay_id: 'required' })
  const method = methods.find((each) =>
    payTo.id === undefined ? each.kind === payTo.kind : each.id === payTo.id,
  )
  if (!method) return refuse('pay_method_missing')
  if (payTo.kind && payTo.kind !== method.kind) return malformed({ pay_id: 'pay_method_differs' })
  if (code === undefined) return malformed({ security_code: 'required' })
  const checked = await checkSecurityCode(deps, { playerId, code, network: request.network })
  if (isRefusal(checked)) return checked

  const requested = await db.transaction(async (tx) => {
    const held = await requestAmount(tx, {
      ...keyed,
      payMethodId: method.id,
      amount,
      onDay: dayOf(deps.timeZone, deps.now()),
    })
    if (held.reason === null) {
      await notify(tx, {
        playerId,
        kind: 'withdrawal_requested',
        facts: { amount: formatAmount(amount), payee: payeeText(method) },
      })
    }
    return held
  })
  if (requested.reason === 'replay') {
    const first = await replay(deps, keyed)
    if (first) return first
    throw new Error('a used key has no use')
  }
  if (requested.reason !== null) return refusalOf(requested.reason)
  const { withdrawalId, cashAfter } = requested
  return { id: withdrawalId, amount, cashAfter, replayed: false }
}

/** The result of the first request with this key; undefined if there was none, or there is no key. */
async function replay(
  { db }: WithdrawalDeps,
  { playerId, key, inputHash }: { playerId: number; key: string | null; inputHash: string },
): Promise<WithdrawalReply | (Refusal & { replayed: true }) | Refusal | undefined> {
  const use = key === null ? undefined : await useOfKey(db, { playerId, key })
  if (!use) return undefined
  if (use.route !== 'withdrawAction' || use.inputHash !== inputHash) {
    return refuse('idempotency_conflict')
  }
  const { reason, withdrawal_id: id } = use.result as { reason?: string; withdrawal_id?: number }
  if (reason) return { ...refusalOf(refusalWord(reason)), replayed: true }
  const made = await withdrawalById(db, id ?? 0)
  if (!made) throw new Error(`the withdrawal ${id} of a used key is gone`)
  return { id: made.id, amount: made.amount, cashAfter: made.cashAfter, replayed: true }
}

/** To deposit is no advice to somebody who withdraws: he only has less than he asked for. */
function refusalOf(reason: RefusalWord): Refusal {
  const wording = reason === 'insufficient_balance' ? { wording: 'above_balance' as const } : {}
  return { ...refuseByWord(reason), ...wording }
}

/** Without the code: a hash of six digits together with known input would reveal them. */
function hashOf({ payTo, amount }: WithdrawalRequest): string {
  return createHash('sha256')
    .update(JSON.stringify(['withdrawAction', payTo, String(amount)]))
    .digest('hex')
}
