/** The six-digit codes that prove an e-mail address: made, sent, and checked once. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import type { Mail, Outbox } from '#src/adapters/mail/outbox.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import { storedAddress } from './account-store.ts'
import { type CountKey, countBack, countWithin, forgetCounts } from './count-store.ts'
import { addCode, liveCodes, lockAddress, recentCodes } from './email-code-store.ts'
import { keyedHash, networkHash } from './network-hash.ts'

export type CodeEvent = 'register' | 'resetpwd'

const CODE_MINUTES = 10
/** Wrong tries for a code from the network that requested it. */
export const CODE_TRIES_MAX = 5
/** Wrong tries a day for an address and event from all other networks together. */
export const STRANGERS_TRIES_MAX = 10
const CODES_A_DAY = 10
const SECONDS_BETWEEN_CODES = 60
const DAY_SECONDS = 86_400

export type CodeDeps = {
  db: Database
  outbox: Outbox
  /** Keys the stored hash of a code; an unkeyed hash could be guessed at once. */
  codeKey: Buffer
}

/** The purpose of a code. `email` is canonical, `network` as `networkOf` names it. */
type CodePurpose = { email: string; event: CodeEvent; network: string }

/**
 * Mails a code for an event, at most one a minute and ten a day for an address. The answer is the same whether or not
 * the address has an account: if the event does not fit, the mail says so instead of containing a code, or no mail is
 * sent. An account's mail goes to the address that is stored with it.
 */
export function sendCode(
  { db, outbox, codeKey }: CodeDeps,
  { email, event, network, lang }: CodePurpose & { lang: Language },
): Promise<Refusal | null> {
  return db.transaction(async (tx) => {
    await lockAddress(tx, email)
    const wait = secondsToWait(await recentCodes(tx, email))
    if (wait > 0) return refuse('too_many_requests', { retry_after: wait })

    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await addCode(tx, {
      email,
      event,
      codeHash: hashCode(codeKey, { email, event, code }),
      requestedFrom: networkHash(codeKey, network),
      minutes: CODE_MINUTES,
    })
    await forgetCounts(tx, [triesOfRequester(codeKey, { email, event, network })])
    const stored = await storedAddress(tx, email)
    await outbox.send(tx, mailFor({ email, event, lang, stored, code }))
    return null
  })
}

/** The mail for an address; if there is none to send, queuing takes the same time. */
function mailFor(request: {
  email: string
  event: CodeEvent
  lang: Language
  /** The stored address of the existing account. */
  stored: string | null
  code: string
}): Mail | null {
  const { email, event, lang, stored, code } = request
  const values = { code, minutes: CODE_MINUTES }
  if ((stored !== null) === (event === 'resetpwd')) {
    return {
      to: stored ?? email,
      subject: translate(lang, `mail.${event}.subject`, values),
      text: translate(lang, `mail.${event}.text`, values),
    }
  }
  if (stored === null) return null
  return {
    to: stored,
    subject: translate(lang, 'mail.account_exists.subject'),
    text: translate(lang, 'mail.account_exists.text'),
  }
}

/** Whole seconds until an address may get another code, given the ages of its earlier codes. */
function secondsToWait(secondsAgo: readonly number[]): number {
  const [latest = DAY_SECONDS] = secondsAgo
  const firstOfTheDay = secondsAgo[CODES_A_DAY - 1] ?? DAY_SECONDS
  return Math.ceil(Math.max(SECONDS_BETWEEN_CODES - latest, DAY_SECONDS - firstOfTheDay, 0))
}

/**
 * Checks a code. Wrong tries count for the network that makes them: a network that requested a code has five tries of
 * its own, which no other network can use up, and all other networks together have ten a day for an address and
 * event. Each try is counted before it is checked, so that simultaneous tries cannot exceed the limit. A right one is
 * removed again: a player who chose a name that is taken has not guessed.
 *
 * A try is compared with two codes at most, so a stranger who requests codes does not invalidate the code of the
 * owner. With ten codes a day for an address, each requested by another network, at most 10 × 5 × 2 + 10 × 1 = 110 of
 * a million codes are tried in a day; from one network, 50.
 *
 * @returns the code's id, to be marked as used in the transaction that acts on it; or email_code_wrong, or
 * email_code_expired if no code can be tried (any more), whether or not the address has an account
 */
export async function checkCode(
  db: Queryable,
  codeKey: Buffer,
  request: CodePurpose & { code: string },
): Promise<{ codeId: bigint } | Refusal> {
  const live = await liveCodes(db, { ...request, network: networkHash(codeKey, request.network) })
  if (live.length === 0) return refuse('email_code_expired')
  const tries = live.some(({ own }) => own)
    ? { key: triesOfRequester(codeKey, request), max: CODE_TRIES_MAX, seconds: CODE_MINUTES * 60 }
    : { key: triesOfStrangers(codeKey, request), max: STRANGERS_TRIES_MAX, seconds: DAY_SECONDS }
  if ((await countWithin(db, tries)) > 0) return refuse('email_code_expired')
  const hash = hashCode(codeKey, request)
  const right = live.filter(({ codeHash }) => timingSafeEqual(codeHash, hash)).at(0)
  if (!right) return refuse('email_code_wrong')
  await countBack(db, [tries.key])
  return { codeId: right.id }
}

function triesOfRequester(codeKey: Buffer, { email, event, network }: CodePurpose): CountKey {
  return keyedHash(codeKey, 'code', email, event, network)
}

function triesOfStrangers(codeKey: Buffer, { email, event }: CodePurpose): CountKey {
  return keyedHash(codeKey, 'code of strangers', email, event)
}

function hashCode(
  codeKey: Buffer,
  { email, event, code }: { email: string; event: CodeEvent; code: string },
): Buffer {
  return createHmac('sha256', codeKey).update(`${email}|${event}|${code}`).digest()
}
