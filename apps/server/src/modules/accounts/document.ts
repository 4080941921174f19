/** The number of an identity document that a player may give: stored encrypted, shown masked. */
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import type { Queryable } from '#src/db/database.ts'
import type { SecretColumn } from '#src/db/reencryption.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

/** How many characters at the end may be shown for a number of this length. */
function shownTail(length: number): number {
  return length >= 8 ? 4 : 2
}

function purposeOf(playerId: number): string {
  return `document ${playerId}`
}

export async function saveDocument(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { playerId, number }: { playerId: number; number: string },
): Promise<void> {
  await db.query(
    `insert into accounts.document (player_id, encrypted_number, key_id, shown_number)
     values ($1, $2, $3, $4)
     on conflict (player_id) do update set encrypted_number = $2, key_id = $3, shown_number = $4,
       changed_at = excluded.changed_at`,
    [
      playerId,
      cipher.encrypt(Buffer.from(number), purposeOf(playerId)),
      cipher.keyId,
      `••••${number.slice(-shownTail(number.length))}`,
    ],
  )
}

/** The whole number, for code that has to compare it. */
export function decryptDocument(
  cipher: SecretCipher,
  {
    playerId,
    encryptedNumber,
    keyId,
  }: { playerId: number; encryptedNumber: Buffer; keyId: string },
): string {
  return cipher.decrypt(encryptedNumber, purposeOf(playerId), keyId).toString()
}

export const DOCUMENTS: SecretColumn = {
  name: 'document',
  table: 'accounts.document',
  id: 'player_id',
  owner: 'player_id',
  secret: 'encrypted_number',
  keyId: 'key_id',
  purposeOf: ({ id }) => purposeOf(id),
}

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

/** With a digit: a word that says that there is none would be the same for many. */
const FOLDED = new RegExp(`^(?=.*[0-9])[A-Z0-9${OTHER_LETTERS}]{3,}$`, 'u')

/**
 * A document's number without blanks, punctuation and letters that are not seen, in capitals, with the digits of all
 * scripts as ASCII, without marks on letters, and with letters that look like Latin ones as these: so that it is the
 * same however it is typed.
 */
export function foldedDocument(number: string): string {
  // The sign of a number is no part of it, though its compatible form has letters.
  const bare = asciiDigits(number.replaceAll('№', ''))
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '')
  return Array.from(bare, (each) => LOOK_ALIKES.get(each) ?? each).join('')
}

/**
 * Whether a text may be a document's number: 4 to 40 characters, three of them letters or digits, of scripts in which it
 * can be compared. Between them may be what is printed or pasted, such as brackets: it is not compared. One with a sign
 * that hides a part of it is none.
 */
export function isDocumentNumber(text: string): boolean {
  return (
    /^[\p{L}\p{M}\p{N}[\p{P}--[•*＊]]\p{Cf}\s№]{4,40}$/v.test(text) &&
    FOLDED.test(foldedDocument(text))
  )
}
