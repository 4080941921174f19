/**
 * Money. One unit `u` is one USDT, and every amount in the code and in the database is an integer
 * number of micro-units (1 u = 1,000,000). Stakes have at most two decimals and odds at most three,
 * so every payout is exact and nothing is ever rounded.
 */

/** An amount of money in micro-units. */
export type Amount = bigint

/** Micro-units in one `u`. */
export const MICRO: Amount = 1_000_000n

/** The largest amount that a request may name: 1,000,000,000 u. */
export const REQUEST_AMOUNT_MAX: Amount = 1_000_000_000n * MICRO

/** Why a text is not an amount. */
export type AmountFault = 'not_a_number' | 'negative' | 'too_many_decimals' | 'too_large'

export type ParsedAmount = { ok: true; amount: Amount } | { ok: false; fault: AmountFault }

/**
 * Reads an amount that a person or a client sent.
 *
 * @param input a plain decimal, as a string or a number: no sign, no exponent, no grouping
 * @param decimalsMax decimals allowed, 0–6; two for everything a player may type. Zeros at the end
 * do not count, so that the text `"1.500"` is taken like the number 1.500
 * @returns the amount in micro-units, or what is wrong with it
 */
export function parseAmount(input: string | number, decimalsMax = 2): ParsedAmount {
  if (!(decimalsMax >= 0 && decimalsMax <= 6)) throw new RangeError('an amount has 0–6 decimals')
  const text = typeof input === 'number' ? numberText(input) : input.trim()
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return { ok: false, fault: 'not_a_number' }
  const [, sign, whole = '0', fraction = ''] = match
  if (sign) return { ok: false, fault: 'negative' }
  if (/[1-9]/.test(fraction.slice(decimalsMax))) return { ok: false, fault: 'too_many_decimals' }
  // Looked at before BigInt, which takes long over a text of many digits.
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS_MAX) return { ok: false, fault: 'too_large' }
  const amount = BigInt(whole) * MICRO + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  if (amount > REQUEST_AMOUNT_MAX) return { ok: false, fault: 'too_large' }
  return { ok: true, amount }
}

/** Digits of {@link REQUEST_AMOUNT_MAX} in whole units. */
const WHOLE_DIGITS_MAX = (REQUEST_AMOUNT_MAX / MICRO).toString().length

/** A number in plain decimal, or a text that no amount matches (NaN, 1e21, Infinity). */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : 'not a number'
}

/**
 * The form on the wire: at least two decimals, no trailing zeros beyond them: `"100.00"`,
 * `"10.123456"`, `"-3.50"`.
 */
export function formatAmount(amount: Amount): string {
  const { sign, whole, micro } = parts(amount)
  const fraction = micro.replace(/0{1,4}$/, '')
  return `${sign}${whole}.${fraction}`
}

/**
 * The form on screen: two decimals, the others cut off and never rounded, of a loss as of a gain.
 * Grouping of thousands is the language's business and not done here.
 */
export function formatAmountShort(amount: Amount): string {
  return formatAmount(amount - (amount % (MICRO / 100n)))
}

/** Reads the wire form back. Throws on anything that {@link formatAmount} would not have written. */
export function amountFromWire(text: string): Amount {
  const match = /^(-?)(\d+)\.(\d{2,6})$/.exec(text)
  const [, sign, whole = '', fraction = ''] = match ?? []
  const size = BigInt(whole) * MICRO + BigInt(fraction.padEnd(6, '0'))
  const amount = sign ? -size : size
  if (!match || formatAmount(amount) !== text)
    throw new Error(`'${text}' is not an amount in wire form`)
  return amount
}

function parts(amount: Amount): { sign: string; whole: string; micro: string } {
  const size = amount < 0n ? -amount : amount
  return {
    sign: amount < 0n ? '-' : '',
    whole: (size / MICRO).toString(),
    micro: (size % MICRO).toString().padStart(6, '0'),
  }
}
