/** A withdrawal and the key that it keeps over all its tries. */
import { newIdempotencyKey } from '@sum28/contract/client.ts'
import type { Amount } from '@sum28/domain/money.ts'
import type { PayMethod } from '#src/data/pay-method.ts'

export type Withdrawal = { readonly method: PayMethod; readonly amount: Amount }

export type WithdrawalAttempt = { readonly withdrawal: Withdrawal; readonly key: string }

/**
 * The attempt to make for a withdrawal. When the one before ended without an answer and is of the
 * same amount to the same place, its key is used again, so that it is made once in any case.
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
