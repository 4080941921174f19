import { type Amount, formatAmount, formatAmountShort } from '@sum28/domain/money.ts'
import { withMarks } from '@sum28/i18n/numbers.ts'

export type AmountLooks = {
  /** The language's tag, for the grouping of thousands and the decimal mark. */
  tag: string
  /** Two decimals, cut and never rounded; or all of them, as in the statement. */
  decimals?: 'two' | 'all'
  /** A plus before positive amounts, unless nothing but zeros is shown of them. */
  plus?: boolean
}

/** An amount for people: `1284500000n` → `1,284.50`; a minus is the real one (U+2212). */
export function amountText(amount: Amount, { tag, decimals = 'two', plus }: AmountLooks): string {
  const plain = decimals === 'two' ? formatAmountShort(amount) : formatAmount(amount)
  const isShown = /[1-9]/.test(plain)
  const sign = plain.startsWith('-') ? '\u2212' : plus && isShown ? '+' : ''
  return sign + withMarks(plain.replace('-', ''), tag)
}
