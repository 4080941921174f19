/** A withdrawal and its idempotency key, the same in all its tries. */
import { newIdempotencyKey } from '@sum28/contract/client.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { PayMethod } from '#src/data/pay-method.ts'

export type Withdrawal = { readonly method: PayMethod; readonly amount: Amount }

export type WithdrawalAttempt = { readonly withdrawal: Withdrawal; readonly key: string }

/**
 * The attempt for a withdrawal. If the attempt before got no answer and had the same amount and
 * method, its key is used again, so that the money is withdrawn only once.
 */
export function withdrawalAttemptFor(
  withdrawal: Withdrawal,
  unanswered: WithdrawalAttempt | null,
  newKey = newIdempotencyKey,
): WithdrawalAttempt {
  const before = unanswered?.withdrawal
  const same =
    before && before.method.id === withdrawal.method.id && before.amount === withdrawal.amount
  return same ? unanswered : { withdrawal, key: newKey() }
}
