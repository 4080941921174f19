/** The checks before a withdrawal is shown to the player for review. */
import type { Amount } from '@sum28/domain/money.ts'
import type { PayMethod } from '#src/data/pay-method.ts'
import { readTypedAmount } from '#src/data/typed-amount.ts'
import type { Withdrawal } from '#src/data/withdrawal.ts'

/**
 * In the order of the checks: no saved method; no security code; no amount; not an amount; too
 * small; no method chosen; more than the balance.
 */
export type WithdrawalFault =
  | 'no_method_saved'
  | 'no_security_code'
  | 'amount_missing'
  | 'amount_wrong'
  | 'below_minimum'
  | 'no_method_chosen'
  | 'insufficient_balance'

export type CheckedWithdrawal =
  | { ok: true; withdrawal: Withdrawal }
  | { ok: false; fault: WithdrawalFault }

type Wish = {
  methods: readonly PayMethod[]
  hasSecurityCode: boolean
  /** As typed, in the language of `tag`. */
  amount: string
  tag: string
  /** The chosen method's id as text; empty where none is chosen. */
  methodId: string
  min: Amount
  balance: Amount
}

/** The first fault of a withdrawal, or the checked withdrawal. */
export function checkWithdrawal(wish: Wish): CheckedWithdrawal {
  if (wish.methods.length === 0) return fault('no_method_saved')
  if (!wish.hasSecurityCode) return fault('no_security_code')
  const parsed = readTypedAmount(wish.amount, { tag: wish.tag })
  if (!parsed.ok && parsed.fault === 'empty') return fault('amount_missing')
  if (!parsed.ok && parsed.fault === 'wrong') return fault('amount_wrong')
  if (parsed.ok && parsed.amount < wish.min) return fault('below_minimum')
  const method = wish.methods.find(({ id }) => String(id) === wish.methodId)
  if (!method) return fault('no_method_chosen')
  // An amount too large to read is more than any balance.
  if (!parsed.ok || parsed.amount > wish.balance) return fault('insufficient_balance')
  return { ok: true, withdrawal: { method, amount: parsed.amount } }
}

function fault(which: WithdrawalFault): CheckedWithdrawal {
  return { ok: false, fault: which }
}
