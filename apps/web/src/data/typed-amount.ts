/**
 * Amounts as people type and paste them, in the language that the app speaks. The rule
 * (docs/decisions/0040-amounts-are-typed-as-they-are-shown.md): what the app shows is read back as
 * the same amount, and nothing that could be meant in two ways is taken as the smaller one.
 */
import { type Amount, formatAmount, parseAmount } from '@sum28/domain/money.ts'
import { decimalMarkOf } from '@sum28/ui/amount-format.ts'

export type TypedAmount =
  | { readonly ok: true; readonly amount: Amount }
  /** `wrong`: no amount, or none that can be told for sure; `too_large`: more than anybody has. */
  | { readonly ok: false; readonly fault: 'empty' | 'wrong' | 'too_large' }

type Reading = {
  /** The language's tag. */
  tag: string
  /** Decimals that may stand behind the mark; two unless told. */
  decimalsMax?: number
}

/**
 * Reads an amount. Point and comma are told apart thus: where both stand, the last one is the
 * decimal mark; the language's own decimal mark is one wherever it stands alone; the other mark
 * groups thousands where exactly three digits follow each, and is else a decimal mark, as on a
 * numeric pad that has only that one.
 */
export function readTypedAmount(typed: string, { tag, decimalsMax = 2 }: Reading): TypedAmount {
  const text = tidy(typed)
  if (text === '') return { ok: false, fault: 'empty' }
  const plain = plainForm(text, decimalMarkOf(tag))
  const decimals = plain?.split('.')[1]?.length ?? 0
  if (plain === null || decimals > decimalsMax) return { ok: false, fault: 'wrong' }
  const parsed = parseAmount(plain, decimalsMax)
  if (parsed.ok) return parsed
  return { ok: false, fault: parsed.fault === 'too_large' ? 'too_large' : 'wrong' }
}

/** What was typed, or null where no amount begins like that: the key is not taken then. */
export function typedSoFar(typed: string, reading: Reading): string | null {
  const text = tidy(typed)
  const begins = ['', '0', '00', '000'].some((rest) => {
    const read = readTypedAmount(text + rest, reading)
    return read.ok || read.fault === 'empty'
  })
  return begins ? text : null
}

/** An amount as a person would type it: no groups and no needless decimals; empty for nothing. */
export function typedForm(amount: Amount, tag: string): string {
  if (amount === 0n) return ''
  return formatAmount(amount).replace(/\.00$/, '').replace('.', decimalMarkOf(tag))
}

/** Without spaces, and with the digits and marks of East Asian keyboards as plain ones. */
function tidy(typed: string): string {
  return typed.normalize('NFKC').replace(/\s/g, '').replaceAll('。', '.').replaceAll('、', ',')
}

/** The text with at most a point in it, or null where it is no amount. */
function plainForm(text: string, mark: string): string | null {
  if (!/^\d[\d.,]*$/.test(text)) return null
  const last = /[.,](?=\d*$)/.exec(text)?.[0]
  if (last === undefined) return text
  const other = last === '.' ? ',' : '.'
  const parts = text.split(last)
  if (text.includes(other)) {
    const whole = ungrouped(parts[0] ?? '', other)
    return parts.length === 2 && whole !== null ? `${whole}.${parts[1]}` : null
  }
  if (parts.length > 2 || last !== mark) {
    const whole = ungrouped(text, last)
    if (whole !== null) return whole
  }
  return parts.length === 2 ? parts.join('.') : null
}

/** `1.284.567` → `1284567`; null where the groups are no thousands. */
function ungrouped(text: string, mark: string): string | null {
  const [first = '', ...groups] = text.split(mark)
  const grouped = /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return grouped && groups.length > 0 ? first + groups.join('') : null
}
