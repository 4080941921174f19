/** Numbers of bank cards (ISO/IEC 7812-1): 12–19 digits, the last of which checks the rest. */

const DIGITS_MIN = 12
const DIGITS_MAX = 19

/** `length`: not 12–19 digits, or other characters among them. `checksum`: a digit is mistyped. */
export type CardNumberFault = 'length' | 'checksum'

/** A typed or printed card number without the spaces and dashes between its digits. */
export function bareCardNumber(text: string): string {
  return text.replace(/[\s\p{Pd}]+/gu, '')
}

/**
 * What is wrong with a card number, or null. Spaces and dashes are ignored. The last digit is
 * checked by Luhn's formula (ISO/IEC 7812-1, annex B), which finds every single wrong digit and
 * nearly every swap of two neighbours. It does not show that the card exists.
 */
export function cardNumberFault(text: string): CardNumberFault | null {
  const digits = bareCardNumber(text)
  const fits = /^\d+$/.test(digits) && digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX
  if (!fits) return 'length'
  return luhnSum(digits) % 10 === 0 ? null : 'checksum'
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
