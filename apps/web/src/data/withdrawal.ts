/** Withdrawals. */
import { withdrawAction, withdrawInfo } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire, formatAmount } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import { type PayMethod, payMethodFromWire } from '#src/data/pay-method.ts'
import { SHOWS_OWN_FAILURE } from '#src/data/query-client.ts'

export type PendingWithdrawal = {
  readonly id: number
  readonly amount: Amount
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  /** Whether it waits until the player has proved his identity. */
  readonly waitsForIdentity: boolean
}

type Latest = ReplyOf<typeof withdrawInfo>['latest'][number]

/** A request as far as it has come. Times are milliseconds since 1970, or null for what has not happened. */
export type RequestedWithdrawal = Pick<Latest, 'id' | 'payee' | 'status' | 'reference' | 'why'> & {
  readonly amount: Amount
  readonly requestedAt: number
  readonly approvedAt: number | null
  readonly sentAt: number | null
}

export type WithdrawalInfo = Money & {
  readonly min: Amount
  readonly methods: readonly PayMethod[]
  /** The end of a hold, in milliseconds since 1970, or null. */
  readonly heldUntil: number | null
  /** The open request; there can be only one. */
  readonly pending: PendingWithdrawal | null
  /** The latest requests, newest first, with the open one. */
  readonly latest: readonly RequestedWithdrawal[]
  /** In how many seconds nine of ten payouts are sent, or null while nobody knows. */
  readonly usualSeconds: number | null
}

/** The balance, the saved methods, and what prevents a withdrawal. */
export const withdrawalQuery = queryOptions({
  queryKey: ['withdrawal'],
  staleTime: 0,
  meta: SHOWS_OWN_FAILURE,
  queryFn: async ({ signal }): Promise<WithdrawalInfo> => {
    const reply = await call(withdrawInfo, {}, { signal })
    const { pending } = reply
    return {
      ...moneyFromWire(reply),
      min: amountFromWire(reply.min),
      methods: reply.pay_list.map(payMethodFromWire),
      heldUntil: reply.hold_until === null ? null : reply.hold_until * 1_000,
      pending: pending && {
        id: pending.id,
        amount: amountFromWire(pending.quantity),
        requestedAt: pending.createtime * 1_000,
        waitsForIdentity: pending.waits_for_identity,
      },
      latest: reply.latest.map(({ quantity, createtime, approvedtime, senttime, ...shown }) => ({
        ...shown,
        amount: amountFromWire(quantity),
        requestedAt: createtime * 1_000,
        approvedAt: approvedtime === null ? null : approvedtime * 1_000,
        sentAt: senttime === null ? null : senttime * 1_000,
      })),
      usualSeconds: reply.usual_seconds,
    }
  },
})

export type Withdrawal = { readonly method: PayMethod; readonly amount: Amount }

/**
 * Requests a withdrawal. Rejects with `Refusal`, or with `Unreachable` if no answer came.
 *
 * @param code the six digits of the security code
 */
export async function requestWithdrawal(
  { method, amount }: Withdrawal,
  { code, idempotencyKey }: { code: string; idempotencyKey: string },
): Promise<void> {
  const fields = { pay_id: method.id, money: formatAmount(amount), security_code: code }
  await call(withdrawAction, fields, { idempotencyKey })
}
