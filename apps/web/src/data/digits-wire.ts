import type { Digits } from '@sum28/domain/digits.ts'

/** The digits of the wire's `"1 2 3 6"`, or null before a draw. */
export function digitsOfCode(code: string): Digits | null {
  const match = /^(\d) (\d) (\d)(?: \d+)?$/.exec(code.trim())
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : null
}
