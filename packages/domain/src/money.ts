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

/** Digits that are none of an amount: `10²` is not 102. */
export const OTHER_DIGIT = /\p{No}/u

/**
 * Reads an amount that a person or a client sent.
 *
 * @param input a plain decimal, as a string or a number: no sign, no exponent, no grouping
 * @param decimalsMax decimals allowed, 0–6; two for everything that a player may type. Trailing
 * zeros count: the text `"1.500"` has three decimals
 * @returns the amount in micro-units, or what is wrong with it
 */
export function parseAmount(input: string | number, decimalsMax = 2): ParsedAmount {
  if (!(decimalsMax >= 0 && decimalsMax <= 6)) throw new RangeError('an amount has 0–6 decimals')
  const text = typeof input === 'number' ? numberText(input) : input.trim()
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return { ok: false, fault: 'not_a_number' }
  const [, sign, whole = '0', fraction = ''] = match
  if (sign) return { ok: false, fault: 'negative' }
  if (fraction.length > decimalsMax) return { ok: false, fault: 'too_many_decimals' }
  // Checked before BigInt, which is slow for a text of many digits.
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS_MAX) return { ok: false, fault: 'too_large' }
  const amount = BigInt(whole) * MICRO + BigInt(fraction.padEnd(6, '0'))
  if (amount > REQUEST_AMOUNT_MAX) return { ok: false, fault: 'too_large' }
  return { ok: true, amount }
}

/** How many digits {@link REQUEST_AMOUNT_MAX} has in whole units. */
const WHOLE_DIGITS_MAX = (REQUEST_AMOUNT_MAX / MICRO).toString().length

/** A number as a plain decimal; NaN, Infinity and 1e21 become a text that no amount matches. */
function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : 'not a number'
}

/** The wire form: at least two decimals, and no other trailing zeros: `"100.00"`, `"10.123456"`, `"-3.50"`. */
export function formatAmount(amount: Amount): string {
  const { sign, whole, micro } = parts(amount)
  const fraction = micro.replace(/0{1,4}$/, '')
  return `${sign}${whole}.${fraction}`
}

/**
 * The form on screen: two decimals, the rest cut off toward zero, for gains and losses alike, so
 * that its size is never shown greater than it is. Thousands are not grouped: that depends on the language.
 */
export function formatAmountShort(amount: Amount): string {
  return formatAmount(amount - (amount % (MICRO / 100n)))
}

/** Reads the wire form. Throws on any text that {@link formatAmount} does not write. */
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
