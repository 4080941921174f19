/** The form in which numbers of documents are compared, and which characters they may have. */

/**
 * Letters of other scripts that look like a Latin one, and Latin letters that are no letter with a mark to Unicode.
 * Greek and Cyrillic documents often bear only such letters, so their owners may type either.
 */
const LOOK_ALIKES = new Map(
  Object.entries({
    A: 'АΑ',
    B: 'ВΒ',
    C: 'СϹ',
    D: 'Đ',
    E: 'ЕΕ',
    H: 'НΗ',
    I: 'ІΙӀ',
    J: 'ЈͿ',
    K: 'КΚ',
    L: 'Ł',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟØ',
    P: 'РΡ',
    Q: 'Ԛ',
    S: 'Ѕ',
    T: 'ТΤ',
    W: 'Ԝ',
    X: 'ХΧ',
    Y: 'УΥҮ',
    Z: 'Ζ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)

/** Scripts of documents whose letters, as far as they are not folded, look like no Latin one. */
const OTHER_LETTERS = [
  'Greek',
  'Cyrillic',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Han',
  'Hangul',
]
  .concat('Hiragana', 'Katakana')
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const FOLDED = new RegExp(`^[A-Z0-9${OTHER_LETTERS}]*$`, 'u')

/**
 * A document's number without blanks and punctuation, in capitals, with the digits of all scripts as ASCII, without
 * marks on letters, and with letters that look like Latin ones as these: so that it is the same however it is typed.
 */
export function foldedDocument(number: string): string {
  const bare = number
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  return Array.from(bare, (each) =>
    /\p{Nd}/u.test(each) ? digitOf(each) : (LOOK_ALIKES.get(each) ?? each),
  ).join('')
}

/** The digits of a script follow each other in Unicode, from 0 to 9. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Whether a text may be a document's number: 4 to 40 characters, of scripts in which it can be compared. */
export function isDocumentNumber(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}./ -]{4,40}$/u.test(text) && FOLDED.test(foldedDocument(text))
}
