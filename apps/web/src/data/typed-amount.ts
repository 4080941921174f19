/**
 * Amounts as people type and paste them, in the app's language. The rule
 * (docs/decisions/0037-one-reading-of-every-request.md): a shown amount is read back as the
 * same amount, and an ambiguous one is never read as the smaller.
 */
import { type Amount, formatAmount, OTHER_DIGIT, parseAmount } from '@sum28/domain/money.ts'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import { decimalMark } from '@sum28/i18n/numbers.ts'

export type TypedAmount =
  | { readonly ok: true; readonly amount: Amount }
  /** `wrong`: not an amount, or one with two readings; `too_large`: more than anybody has. */
  | { readonly ok: false; readonly fault: 'empty' | 'wrong' | 'too_large' }

type Reading = {
  tag: string
  /** The greatest number of decimals; 2 by default. */
  decimalsMax?: number
}

/**
 * Reads an amount. Point and comma are distinguished by these rules: if there are both, the last one is the
 * decimal mark; the language's own decimal mark is always one if it is alone; the other mark
 * groups thousands where exactly three digits follow each, and is else a decimal mark, as on a
 * numeric pad that has only that one.
 */
export function readTypedAmount(typed: string, { tag, decimalsMax = 2 }: Reading): TypedAmount {
  const text = tidy(typed)
  if (text === '') return { ok: false, fault: 'empty' }
  const plain = plainForm(text, decimalMark(tag))
  const decimals = plain?.split('.')[1]?.length ?? 0
  if (plain === null || decimals > decimalsMax) return { ok: false, fault: 'wrong' }
  const parsed = parseAmount(plain, decimalsMax)
  if (parsed.ok) return parsed
  return { ok: false, fault: parsed.fault === 'too_large' ? 'too_large' : 'wrong' }
}

/** Some ends that make an amount of each text with which one can begin: decimals, and thousands. */
const ENDS = ['', '0', '00', '000', '.000', ',000']

/** The typed text, or null if no amount begins like it, so that the key has no effect. */
export function typedSoFar(typed: string, reading: Reading): string | null {
  const text = tidy(typed)
  const begins = ENDS.some((rest) => {
    const read = readTypedAmount(text + rest, reading)
    return read.ok || read.fault === 'empty'
  })
  return begins ? text : null
}

/** Whether the text is no amount, as `1.284` in English; not while a mark or a group at its end waits for digits. */
export function isWrongSoFar(typed: string, reading: Reading): boolean {
  const read = readTypedAmount(typed, reading)
  if (read.ok || read.fault !== 'wrong' || !/\d$/.test(typed)) return false
  return !['0', '00'].some((rest) => readTypedAmount(typed + rest, reading).ok)
}

/** An amount as a person would type it: no groups and no needless decimals; empty for nothing. */
export function typedForm(amount: Amount, tag: string): string {
  if (amount === 0n) return ''
  return formatAmount(amount).replace(/\.00$/, '').replace('.', decimalMark(tag))
}

/** Removes spaces, marks of direction and a copied unit, and replaces the digits and marks of other scripts. */
function tidy(typed: string): string {
  const plain = OTHER_DIGIT.test(typed) ? typed : asciiDigits(typed)
  return plain
    .replace(/[\s\p{Cf}]|u\s*$/gu, '')
    .replace(/[。٫]/g, '.')
    .replace(/[、٬]/g, ',')
}

/** The text with at most one mark, a point; null if it is no amount. */
function plainForm(text: string, mark: string): string | null {
  if (!/^\d[\d.,]*$/.test(text)) return null
  const last = /[.,](?=\d*$)/.exec(text)?.[0]
  if (last === undefined) return text
  const other = last === '.' ? ',' : '.'
  const parts = text.split(last)
  if (text.includes(other)) {
    const integer = ungrouped(parts[0] ?? '', other)
    return parts.length === 2 && integer !== null ? `${integer}.${parts[1]}` : null
  }
  if (parts.length > 2 || last !== mark) {
    const integer = ungrouped(text, last)
    if (integer !== null) return integer
  }
  return parts.length === 2 ? parts.join('.') : null
}

/** `1.284.567` → `1284567`; null where the groups are no thousands. */
function ungrouped(text: string, mark: string): string | null {
  const [first = '', ...groups] = text.split(mark)
  const grouped = /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return grouped && groups.length > 0 ? first + groups.join('') : null
}
