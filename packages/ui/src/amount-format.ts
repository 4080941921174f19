import { type Amount, formatAmount, formatAmountShort } from '@sum28/domain/money.ts'

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
  const [whole = '0', fraction = '00'] = plain.replace('-', '').split('.')
  const isShown = /[1-9]/.test(plain)
  const sign = plain.startsWith('-') ? '\u2212' : plus && isShown ? '+' : ''
  const { group, mark } = looksOf(tag)
  return sign + group.format(BigInt(whole)) + mark + fraction
}

type NumberLooks = { readonly group: Intl.NumberFormat; readonly mark: string }

const LOOKS = new Map<string, NumberLooks>()

/** The number format of a language; cached, because making it is slow. */
function looksOf(tag: string): NumberLooks {
  const cachedLooks = LOOKS.get(tag)
  if (cachedLooks) return cachedLooks
  const looks = { group: new Intl.NumberFormat(tag), mark: decimalSeparator(tag) }
  LOOKS.set(tag, looks)
  return looks
}

/** The decimal mark of a language: `.` or `,`. */
export function decimalSeparatorOf(tag: string): string {
  return looksOf(tag).mark
}

function decimalSeparator(tag: string): string {
  const parts = new Intl.NumberFormat(tag, { minimumFractionDigits: 1 }).formatToParts(0)
  return parts.find((part) => part.type === 'decimal')?.value ?? '.'
}
