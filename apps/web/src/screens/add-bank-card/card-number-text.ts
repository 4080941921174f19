/** A card number while it is typed: digits in groups of four. */
import { asciiDigits } from '@sum28/domain/typed-digits.ts'

const GROUP = 4

/**
 * The digits of a text in groups of four, `4242 4242 42`. Digits of any script count; other characters are
 * dropped. A number that is too long is not cut, so that the mistake is visible.
 */
export function groupedDigits(text: string): string {
  return (digitsOf(text).match(/\d{1,4}/g) ?? []).join(' ')
}

/**
 * The caret's place in the grouped text: after the same digit as before.
 *
 * @param text the field's text before grouping, with the caret at `caret`
 */
export function caretInGroups(text: string, caret: number): number {
  const before = digitsOf(text.slice(0, caret)).length
  return before + Math.max(0, Math.ceil(before / GROUP) - 1)
}

function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}
