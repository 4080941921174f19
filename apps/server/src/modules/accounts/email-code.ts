/** The six digits that prove an e-mail address: made, sent, and checked once. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import type { Mail, Outbox } from '#src/adapters/mail/outbox.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import {
  addCode,
  emailHasAccount,
  forgiveTry,
  lockAddress,
  recentCodes,
  tryCode,
} from './account-store.ts'

export type CodeEvent = 'register' | 'resetpwd'

const CODE_MINUTES = 10
const CODE_TRIES_MAX = 5
const CODES_A_DAY = 10
const SECONDS_BETWEEN_CODES = 60
const DAY_SECONDS = 86_400

export type CodeDeps = {
  db: Database
  outbox: Outbox
  /** Keys the stored hash of a code, which would be guessed at once without it. */
  codeKey: Buffer
}

/**
 * Mails a code for an event, at most one a minute and ten a day for an address. The answer is the
 * same whether or not the address has an account: where it does not fit, the mail says so instead
 * of carrying a code, or none is sent.
 */
export function sendCode(
  { db, outbox, codeKey }: CodeDeps,
  { email, event, lang }: { email: string; event: CodeEvent; lang: Language },
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
      minutes: CODE_MINUTES,
    })
    const known = await emailHasAccount(tx, email)
    await outbox.send(tx, mailFor({ email, event, lang, known, code }))
    return null
  })
}

/** What is mailed to an address; where there is nothing to say, no mail is queued in its place. */
function mailFor(asked: {
  email: string
  event: CodeEvent
  lang: Language
  known: boolean
  code: string
}): Mail | null {
  const { email, event, lang, known, code } = asked
  const values = { code, minutes: CODE_MINUTES }
  if (known === (event === 'resetpwd')) {
    return {
      to: email,
      subject: translate(lang, `mail.${event}.subject`, values),
      text: translate(lang, `mail.${event}.text`, values),
    }
  }
  if (!known) return null
  return {
    to: email,
    subject: translate(lang, 'mail.account_exists.subject'),
    text: translate(lang, 'mail.account_exists.text'),
  }
}

/** Whole seconds until an address may have another code, given how long ago it had the others. */
function secondsToWait(secondsAgo: readonly number[]): number {
  const [latest = DAY_SECONDS] = secondsAgo
  const firstOfTheDay = secondsAgo[CODES_A_DAY - 1] ?? DAY_SECONDS
  return Math.ceil(Math.max(SECONDS_BETWEEN_CODES - latest, DAY_SECONDS - firstOfTheDay, 0))
}

/**
 * Checks a code; the fifth wrong check kills it. Each counts before it is looked at, so that many
 * at once are no more tries than five, and a right one is taken off again: whoever chose a name
 * that is taken has not guessed.
 *
 * @returns the code's id, to be used up in the transaction that acts on it
 */
export async function checkCode(
  db: Queryable,
  codeKey: Buffer,
  asked: { email: string; event: CodeEvent; code: string },
): Promise<{ codeId: bigint } | Refusal> {
  const stored = await tryCode(db, { ...asked, triesMax: CODE_TRIES_MAX })
  if (!stored) return refuse('email_code_expired')
  if (!timingSafeEqual(stored.codeHash, hashCode(codeKey, asked))) return refuse('email_code_wrong')
  await forgiveTry(db, stored.id)
  return { codeId: stored.id }
}

function hashCode(
  codeKey: Buffer,
  { email, event, code }: { email: string; event: CodeEvent; code: string },
): Buffer {
  return createHmac('sha256', codeKey).update(`${email.toLowerCase()}|${event}|${code}`).digest()
}
