/**
 * Schemas of request fields. A body may be JSON or a form, so a number may come as text.
 * `read-fields.ts` treats null and empty text as absent, for all fields. Each text and list has a
 * maximum length. Each `error` is the key of a text in the catalogs (`fault.<key>`).
 */

import { type Amount, OTHER_DIGIT, parseAmount } from '@sum28/domain/money.ts'
import { addDays, isDay, isInCalendar } from '@sum28/domain/schedule.ts'
import { asciiDigits } from '@sum28/domain/typed-digits.ts'
import * as z from 'zod/mini'
import { canonicalEmail } from './canonical-email.ts'

/** A number, or text of at most `max` characters; longer text has the fault. */
function numberOrText(max: number, fault: string) {
  return z.union([z.number(), z.string().check(z.maxLength(max, { error: fault }))], {
    error: required,
  })
}

/** What is read of a number, or of text of at most `max` characters; undefined is the fault. */
function readAs<Value>(
  max: number,
  fault: string,
  read: (value: number | string) => Value | undefined,
) {
  return z.pipe(numberOrText(max, fault), orFault(fault, read))
}

/** What is read of a value; undefined is the fault. */
export function orFault<Input, Value>(fault: string, read: (value: Input) => Value | undefined) {
  return z.transform<Input, Value>((value, context) => {
    const found = read(value)
    if (found !== undefined) return found
    context.issues.push({ code: 'custom', input: value, message: fault })
    return z.NEVER
  })
}

/** A whole number, as a number or as decimal text. */
function wholeNumber({ min, max, fault }: { min: number; max: number; fault: string }) {
  return readAs(String(max).length, fault, (value) => {
    const number = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : -1
    return Number.isInteger(number) && number >= min && number <= max ? number : undefined
  })
}

/** A positive whole number that fits PostgreSQL's `integer`. */
export const id = wholeNumber({ min: 1, max: 2_147_483_647, fault: 'id' })

/** A whole number from 0, such as a feed id already seen; up to 2^53. */
export const count = wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, fault: 'number' })

/** An instant in Unix seconds, to the end of the year 9999. */
export const instant = count.check(
  z.refine((seconds) => seconds <= 253_402_300_799, { error: 'number' }),
)

/** Pasted text in its usual form: digits of any script and wide signs are plain ones, and every blank is a space. */
function plainForm(text: string): string {
  return asciiDigits(text).trim()
}

/** Thousands that blanks group, as some programs write them: `1 284.50`. */
const GROUPED = /^\d{1,3}( \d{3})+(\.\d+)?$/

/** An amount of money with at most two decimals, converted to micro-units. Pasted ones may be grouped by blanks. */
export const centAmount = z.pipe(
  numberOrText(40, 'too_long'),
  z.transform<number | string, Amount>((value, context) => {
    const isText = typeof value === 'string' && !OTHER_DIGIT.test(value)
    const plain = isText ? plainForm(value) : value
    const isGrouped = typeof plain === 'string' && GROUPED.test(plain)
    const parsed = parseAmount(isGrouped ? plain.replaceAll(' ', '') : plain)
    if (parsed.ok) return parsed.amount
    context.issues.push({ code: 'custom', input: value, message: `amount_${parsed.fault}` })
    return z.NEVER
  }),
)

/** One of some small whole numbers, as a number or text. */
export function choice<const Value extends number>(values: readonly Value[]) {
  return readAs(10, 'choice', (value) =>
    values.find((each) => value === each || value === String(each)),
  )
}

/** The same, and may be absent. */
export function optionalChoice<const Value extends number>(values: readonly Value[]) {
  return z.optional(choice(values))
}

/** Text that may be absent; text of blanks alone is absent too. */
export function optionalText(max: number) {
  return optional(text({ min: 0, max }))
}

function optional(schema: ReturnType<typeof text>) {
  return z.pipe(
    z.optional(schema),
    z.transform((value) => value || undefined),
  )
}

type Length = { min?: number; max: number }

/** Plain text, trimmed, of a length in characters. */
export function text(length: Length) {
  return z.string({ error: required }).check(...plain(length))
}

function plain({ min, max }: Length): z.core.$ZodCheck<string>[] {
  return [
    z.trim(),
    // PostgreSQL's text cannot contain NUL, and its JSON no half of a surrogate pair. Other control
    // characters do not belong into a name.
    z.regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\r\n])*$/u, { error: 'invalid' }),
    z.minLength(min ?? 1, { error: min ? 'too_short' : 'required' }),
    z.maxLength(max, { error: 'too_long' }),
  ]
}

/**
 * Text by which staff recognise a person or a payee, without marks of direction: behind such a mark the digits that a
 * screen shows stand in another order than those that are compared.
 */
export function identityText(length: Length) {
  const withoutMarks = z.overwrite<string>((value) => value.replaceAll(/\p{Bidi_Control}/gu, ''))
  return z.string({ error: required }).check(withoutMarks, ...plain(length))
}

/** The number of an identity document, which may be absent. */
export const documentNumber = optional(identityText({ min: 0, max: 40 }))

/**
 * A name of a payee, his bank or branch, as it will stand in the bank's file: no character that ends a cell or a line
 * there, and no beginning of a formula.
 */
export function payeeText(max: number) {
  const safe = z.regex(/^(?![=+\-@＝＋－＠])[^;|\t\r\n]*$/u, { error: 'invalid' })
  return identityText({ max }).check(safe)
}

/** The same, and may be absent. */
export function optionalPayeeText(max: number) {
  return z.pipe(optional(identityText({ min: 0, max })), z.optional(payeeText(max)))
}

/** A long number of which a spreadsheet has kept the first digits alone: `2.02611E+15`. */
const SHORTENED = /^\d+([.,]\d+E[+-]?|E[+-])\d+$/i

/**
 * A payment reference of a bank: printable ASCII after Unicode compatibility folding. Look-alikes
 * (letters of other alphabets, zero-width characters) are refused, so that one reference cannot be
 * entered as two, and so is a number that a spreadsheet has shortened, so that two are not entered as one.
 */
export const paymentReference = z.pipe(
  z.pipe(text({ max: 256 }), z.transform(plainForm)),
  z.string().check(
    z.maxLength(128, { error: 'too_long', abort: true }),
    z.regex(/^[ -~]*$/, { error: 'reference' }),
    z.refine((value) => !SHORTENED.test(value), { error: 'shortened' }),
    z.refine((value) => value.replaceAll(' ', '').length >= 4, { error: 'too_short' }),
  ),
)

/** A password of at least `min` characters, in the form in which it is compared; never trimmed. */
export function passwordFrom(min: number, fault: string) {
  return z
    .string({ error: required })
    .check(
      z.normalize(),
      z.minLength(min, { error: fault }),
      z.maxLength(128, { error: 'too_long' }),
    )
}

/** A password as typed. */
export const password = passwordFrom(1, 'required')

/** A password that is being set. */
export const newPassword = passwordFrom(8, 'password_short')

/** The same of a visitor. */
export const visitorPassword = passwordFrom(6, 'too_short')

/** Text that a client may send as a JSON number where it is digits alone. */
const digitsOrText = z.pipe(
  z.union([z.int(), z.string().check(z.maxLength(254, { error: 'too_long' }))], {
    error: required,
  }),
  z.transform<number | string, string>(String),
)

/** A user name or an address, as typed. */
export const account = z.pipe(digitsOrText, text({ max: 254 }))

/** The number of a bank card, or the type of a wallet. */
export const cardOrType = z.pipe(digitsOrText, text({ max: 40 }))

/** The code of a bank's branch, which may be absent. */
export const branchCode = z.pipe(z.optional(digitsOrText), optionalPayeeText(40))

/** 3–20 ASCII letters, digits or underscores, so that no name looks like another. */
export const username = z
  .string({ error: required })
  .check(
    z.trim(),
    z.regex(/^[A-Za-z0-9_]{3,20}$/, { error: 'username' }),
    z.maxLength(20, { error: 'username' }),
  )

/** An e-mail address, converted to its canonical form. */
export const email = z.pipe(
  z.string({ error: required }).check(z.trim(), z.maxLength(254, { error: 'too_long' })),
  z.transform<string, string>((value, context) => {
    const address = canonicalEmail(value)
    if ('email' in address) return address.email
    context.issues.push({ code: 'custom', input: value, message: address.fault })
    return z.NEVER
  }),
)

/**
 * The six digits of a code, if it has them. JSON numbers have no leading zeros, so 12345 is the code 012345. Pasted codes may
 * have blanks or dashes, as programs for TOTP show them, and digits of any script.
 */
function sixDigitsOf(value: number | string): string | undefined {
  const isText = typeof value === 'string'
  const code = isText
    ? plainForm(value).replaceAll(/[ \p{Pd}]/gu, '')
    : String(value).padStart(6, '0')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** A code of six digits (mailed, security or TOTP), as text or as a JSON number. */
export const sixDigits = readAs(40, 'six_digits', sixDigitsOf)

/** Six digits of an authenticator app, or a recovery code as typed. */
export const factorCode = z.pipe(
  numberOrText(40, 'too_long'),
  z.transform<number | string, string>((value) => sixDigitsOf(value) ?? String(value).trim()),
)

/** A round's number: the date and a counter. */
export const issue = readAs(14, 'issue', (value) =>
  /^\d{11,14}$/.test(String(value)) ? String(value) : undefined,
)

const TICKED: readonly unknown[] = [true, 1, '1', 'true', 'on']

/** A tick: true, 1, "1", "true", or "on", as a form's box is sent, is ticked; anything else, or nothing, is not. */
export const tick = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => TICKED.includes(value)),
)

/** A calendar day, `YYYY-MM-DD`. */
export const day = z
  .string({ error: required })
  .check(z.maxLength(10, { error: 'day', abort: true }), z.refine(isDay, { error: 'day' }))

/** A date of birth, `YYYY-MM-DD`, of the years 1900–2099: it is only compared, as text. */
export const birthDate = z.string({ error: required }).check(
  z.maxLength(10, { error: 'day', abort: true }),
  z.refine((text) => /^(19|20)\d{2}-\d{2}-\d{2}$/.test(text) && isInCalendar(text), {
    error: 'day',
  }),
)

/** The number of rules. */
const RULES_MAX = 36

/** The chosen rules: a JSON array in a string, an array, or one id. */
export const playType = z.pipe(
  z.union(
    [
      z.string().check(z.maxLength(500, { error: 'play_type' })),
      z.number(),
      z.array(numberOrText(10, 'play_type')).check(z.maxLength(RULES_MAX)),
    ],
    {
      error: (issue) =>
        Array.isArray(issue.input) && issue.input.length > RULES_MAX
          ? 'play_type'
          : required(issue),
    },
  ),
  orFault('play_type', readIds),
)

/** Which page of a list, from 1, and how many items on a page. */
export const pageFields = { page: z.optional(id), limit: z.optional(id) }

/**
 * The days of a list: at most 366, the first not after the last. A missing first day is today, or the last day if
 * that is earlier; a missing last day is today, or the first day if that is later.
 */
export const dayRange = { begin_date: z.optional(day), end_date: z.optional(day) }

/** What is wrong with a range of days, or null. Both ends are included. */
export function dayRangeFault(
  beginDate: string,
  endDate: string,
): 'day_order' | 'day_range' | null {
  if (beginDate > endDate) return 'day_order'
  return addDays(beginDate, 366) <= endDate ? 'day_range' : null
}

function readIds(value: string | number | (string | number)[]): number[] | undefined {
  let list: unknown = value
  if (typeof value === 'string') {
    try {
      list = JSON.parse(value)
    } catch {
      return undefined
    }
  }
  const chosen = Array.isArray(list) ? list : [list]
  if (chosen.length < 1 || chosen.length > RULES_MAX) return undefined
  const ids = chosen.flatMap((each) => z.safeParse(id, each).data ?? [])
  return new Set(ids).size === chosen.length ? ids : undefined
}

/** The fault of a value of the wrong type: missing, or invalid. */
export function required(issue: { input?: unknown }): string {
  return issue.input === undefined || issue.input === null ? 'required' : 'invalid'
}

/** Bytes in base64url. Most answers are a few hundred long; all together fit a body. */
export const bytes = z
  .string({ error: required })
  .check(z.maxLength(1_000, { error: 'too_long' }), z.regex(/^[\w-]+$/, { error: 'invalid' }))

/** The answer of an authenticator to a challenge. */
export const passkeyAnswer = {
  credential_id: bytes,
  client_data: bytes,
  authenticator_data: bytes,
  signature: bytes,
  /** The id of the account that the authenticator keeps; a sign-in needs it. */
  user_handle: z.optional(bytes),
}

/** The fields of a passkey's answer where another proof can be given in their place. */
export const passkeyProof = z.partial(z.object(passkeyAnswer)).shape

/** A passkey that a browser has made, and the name that its owner gives to it. */
export const madePasskey = {
  name: text({ max: 40 }),
  client_data: bytes,
  attestation: bytes,
  /** As the browser reports them, with commas between. */
  transports: z.optional(
    z
      .string({ error: required })
      .check(z.maxLength(80, { error: 'too_long' }), z.regex(/^[a-z,-]*$/, { error: 'invalid' })),
  ),
}
