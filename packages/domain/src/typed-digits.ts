/** Digits as people type and paste them. */

/**
 * The text with the digits of every script (`１２３`, `١٢٣`, `१२३`) as 0–9; everything else that Unicode calls a form of
 * another character is that character too.
 */
export function asciiDigits(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(decimalValueOf(digit)))
}

/** The digits of a script follow each other from 0 to 9; some scripts have two such rows, one after the other. */
function decimalValueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

const WALKS = new Set(
  (
    '112233 123321 332211 445566 778899 998877 159753 357159 753951 951753 147258 258369 369258 ' +
    '147852 258147 789456 456123 123654 321654 654987 147896 741852 852963 963852 852456 123789 ' +
    '789123 246810 135790 102030 142536 100000 110011 520131 131452 696969 007007'
  ).split(' '),
)

/** Whether a code of six digits is one of those that are guessed first. */
export function isCommonCode(code: string): boolean {
  const digits = [...code].map(Number)
  const steps = digits.slice(1).map((digit, at) => digit - (digits[at] ?? 0))
  const isRun = steps.every((step) => step === steps[0]) && Math.abs(steps[0] ?? 0) <= 1
  const isRepeated = code.slice(0, 2).repeat(3) === code || code.slice(0, 3).repeat(2) === code
  return isRun || isRepeated || isDate(code) || WALKS.has(code)
}

/** Whether it reads as a day in one of the three orders, with two digits for the year. */
function isDate(code: string): boolean {
  const [first = 0, second = 0, third = 0] = [0, 2, 4].map((at) => Number(code.slice(at, at + 2)))
  const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31
  return isDay(second, first) || isDay(first, second) || isDay(second, third)
}
