import { Refusal } from '@sum28/contract/client.ts'
import { mayHaveHappened } from '#src/data/failure.ts'

/**
 * What a failed request for a withdrawal means. `unanswered`: it may have been made; `code_wrong`:
 * ask for the code again; `locked`: no code is accepted for a while; `no_code` and `no_method`: one
 * must be set first; `insufficient` and `refused`: the server refused it.
 */
export type WithdrawalFailure =
  | 'unanswered'
  | 'code_wrong'
  | 'locked'
  | 'no_code'
  | 'no_method'
  | 'insufficient'
  | 'refused'

export function withdrawalFailure(error: unknown): WithdrawalFailure {
  if (mayHaveHappened(error) || !(error instanceof Refusal)) return 'unanswered'
  switch (error.data.reason) {
    case 'security_code_wrong':
      return 'code_wrong'
    case 'security_code_locked':
      return 'locked'
    case 'security_code_not_set':
      return 'no_code'
    case 'pay_method_missing':
      return 'no_method'
    case 'insufficient_balance':
      return 'insufficient'
    default:
      return 'refused'
  }
}
