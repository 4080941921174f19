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
    '123321 159753 357159 753951 951753 147258 258369 369258 147852 258147 789456 456123 123654 ' +
    '321654 654987 789654 147896 147369 741852 852963 963852 852456 123789 789123 246810 135790 ' +
    '102030 142536 100000 520131 131452'
  ).split(' '),
)

/** Whether a code of six digits is one of those that are guessed first. */
export function isCommonCode(code: string): boolean {
  const digits = [...code].map(Number)
  const steps = digits.slice(1).map((digit, at) => digit - (digits[at] ?? 0))
  // After the 9 comes the 0, as in a row of keys.
  const isRun = [0, 1, 9].some((step) => steps.every((each) => (each + 10) % 10 === step))
  const isRepeated = /^(..)\1\1$|^(...)\2$|^(.)\3(.)\4(.)\5$|^(.)\6\6(.)\7\7$/.test(code)
  return isRun || isRepeated || isDate(code) || WALKS.has(code)
}

/** Whether it reads as a day in one of the three orders, with two digits for the year. */
function isDate(code: string): boolean {
  const [first = 0, second = 0, third = 0] = [0, 2, 4].map((at) => Number(code.slice(at, at + 2)))
  const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31
  return isDay(second, first) || isDay(first, second) || isDay(second, third)
}
