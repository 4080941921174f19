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
