import { withdrawAction, withdrawInfo } from '@sum28/contract/money-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { type Amount, amountFromWire, formatAmount } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { moneyFromWire } from '#src/data/money.ts'
import { type PayMethod, payMethodFromWire } from '#src/data/pay-method.ts'
import { intervalUntil, SHOWS_OWN_FAILURE } from '#src/data/query-client.ts'

/** The balance, the saved methods, and what prevents a withdrawal. */
export const withdrawalQuery = queryOptions({
  queryKey: ['withdrawal'],
  staleTime: 0,
  meta: SHOWS_OWN_FAILURE,
  queryFn: async ({ signal }) => withdrawalFromWire(await call(withdrawInfo, {}, { signal })),
  // A hold that ends while it is shown is over then.
  refetchInterval: ({ state }) => {
    const heldUntil = state.data?.heldUntil ?? null
    return heldUntil !== null && intervalUntil(heldUntil, state)
  },
})

export type WithdrawalInfo = ReturnType<typeof withdrawalFromWire>
export type PendingWithdrawal = NonNullable<WithdrawalInfo['pending']>
export type RequestedWithdrawal = WithdrawalInfo['latest'][number]

/** Times are milliseconds since 1970, or null for what has not happened. */
function withdrawalFromWire({ pending, ...reply }: ReplyOf<typeof withdrawInfo>) {
  return {
    ...moneyFromWire(reply),
    min: amountFromWire(reply.min),
    methods: reply.pay_list.map(payMethodFromWire),
    /** The end of a hold. */
    heldUntil: reply.hold_until === null ? null : reply.hold_until * 1_000,
    /** The open request; there can be only one. */
    pending: pending && {
      amount: amountFromWire(pending.quantity),
      /** Until the player has proved who he is. */
      waitsForIdentity: pending.waits_for_identity,
    },
    /** The latest requests, newest first, with the open one. */
    latest: reply.latest.map(
      ({ quantity, paid_part, createtime, approvedtime, senttime, ...shown }) => ({
        ...shown,
        amount: amountFromWire(quantity),
        paidPart: amountFromWire(paid_part),
        requestedAt: createtime * 1_000,
        approvedAt: approvedtime === null ? null : approvedtime * 1_000,
        sentAt: senttime === null ? null : senttime * 1_000,
      }),
    ),
    /** In how many seconds nine of ten payouts are sent, or null while nobody knows. */
    usualSeconds: reply.usual_seconds,
  }
}

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
