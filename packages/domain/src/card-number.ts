/** Numbers that a bank pays to: of a card (ISO/IEC 7812-1, up to 19 digits), or of an account, from 7 digits on. */

const DIGITS_MIN = 7
const DIGITS_MAX = 19

/**
 * `length`: not 7–19 digits, or other characters among them. `checksum`: a digit of a card is mistyped, or it is the number
 * of an account that begins like a card. So that is a question to the person who typed it, and no reason to refuse it.
 */
export type CardNumberFault = 'length' | 'checksum'

/** A typed, pasted or printed number without the spaces and dashes between its digits. Wide digits count. */
export function bareCardNumber(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Pd}]+/gu, '')
}

/**
 * The schemes whose numbers end with a check digit, by the first digits of a number and its length: Visa, Mastercard,
 * American Express, Discover, JCB and Diners Club. Others prescribe none for each card (UnionPay, cards of one
 * country), so their numbers are not checked. Numbers of 14 digits are mostly accounts.
 */
const CHECKED = [
  { digits: 16, begins: /^(4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
  { digits: 16, begins: /^(6011|64[4-9]|65|352[89]|35[3-8]|30[0-5]|3[689])/ },
  { digits: 15, begins: /^3[47]/ },
] as const

/**
 * What is wrong with a number, or null. Spaces and dashes are ignored. Where the scheme prescribes it, the last digit
 * is checked by Luhn's formula (ISO/IEC 7812-1, annex B), which finds every single wrong digit and nearly every swap
 * of two neighbours. It does not show that the card exists.
 */
export function cardNumberFault(text: string): CardNumberFault | null {
  const digits = bareCardNumber(text)
  const fits = /^\d+$/.test(digits) && digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX
  if (!fits) return 'length'
  return hasCheckDigit(digits) && luhnSum(digits) % 10 !== 0 ? 'checksum' : null
}

function hasCheckDigit(number: string): boolean {
  return CHECKED.some(({ digits, begins }) => number.length === digits && begins.test(number))
}

/** Every second digit from the right is doubled; the digits of the results are added up. */
function luhnSum(digits: string): number {
  let sum = 0
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}
