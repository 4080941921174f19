/** The six-digit codes that prove an e-mail address: made, sent, and checked once. */
import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { SECONDS_BETWEEN_CODES } from '@sum28/contract/shared-times.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { AWAITED_MINUTES, type Mail, type Outbox } from '#src/adapters/mail/outbox.ts'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { storedAddress } from './account-store.ts'
import {
  type CountKey,
  countBack,
  countOfNetwork,
  countWithin,
  forgetCounts,
  haveCounted,
} from './count-store.ts'
import { isKnownNetworkOfAddress, keyedHash, networkHash } from './sign-in-guard.ts'

export type CodeEvent = 'register' | 'resetpwd' | 'old_email' | 'new_email'

/**
 * How long a code is valid after it was requested, whenever its mail is sent (ASVS 6.5): a life that began with the
 * sending would show whether there is a mail, and so who has an account.
 */
const CODE_MINUTES = AWAITED_MINUTES
/** Wrong tries for a code from the network that requested it. */
export const CODE_TRIES_MAX = 5
/**
 * Wrong tries a day for an address and event from all other networks together; and, after those, from each network
 * from which the player has signed in.
 */
export const STRANGERS_TRIES_MAX = 10
const CODES_A_DAY = 10
/**
 * Codes a day for addresses that have no allowance: from one network, and from all; and from one network once half of
 * all are sent, so that some dozens of networks leave codes to the others.
 */
export const NETWORK_CODES_A_DAY = 300
export const ALL_CODES_A_DAY = 20_000
export const CROWDED_CODES_A_DAY = 10
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

export type CodeDeps = {
  db: Database
  outbox: Outbox
  /** Keys the stored hash of a code; an unkeyed hash could be guessed at once. */
  codeKey: Buffer
  /** Whether the codes of networks are limited. */
  limits: boolean
}

/** The purpose of a code. `email` is canonical, `network` as `networkOf` names it. */
type CodePurpose = { email: string; event: CodeEvent; network: string }

/**
 * Mails a code for an event, at most one a minute and ten a day for an address, and 300 a day for a network. In
 * addition a player has an allowance on each network from which he has signed in (`sign-in-guard.ts`): one a minute and
 * ten a day of the codes that this network requests. So strangers who request codes keep him from none, and his mailbox gets at most ten a day from
 * them.
 *
 * The answer is the same whether or not the address has an account: if the event does not fit, the mail says so
 * instead of containing a code, or no mail is sent. An account's mail goes to the address that is stored with it. A
 * request on the allowance gets the answer of a refused one, whose text says that a mail may have been sent, so that
 * nobody learns who has signed in from here.
 */
export function sendCode(
  { db, outbox, codeKey, limits }: CodeDeps,
  { email, event, network, lang }: CodePurpose & { lang: Language },
): Promise<Refusal | null> {
  const send = async (tx: Transaction) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('email ' || $1))`, [email])
    const requestedFrom = networkHash(codeKey, network)
    const recent = await tx.query<RecentCode>(
      `select extract(epoch from app.now() - created_at)::float8 as "secondsAgo",
         asked_from is not distinct from $2::bytea as "isOfCaller", on_allowance as "onAllowance"
       from accounts.email_code
       where email_key = $1 and created_at > app.now() - interval '24 hours' and created_at <= app.now()
       order by created_at desc`,
      [email, requestedFrom],
    )
    const ofAddress = secondsToWait(recent.filter(({ onAllowance }) => !onAllowance))
    const stored = await storedAddress(tx, email)
    const budget = { codeKey, network, event, isMailed: stored !== null || !isOfAccount(event) }
    const wait = ofAddress || (limits ? await waitForBudget(tx, budget) : 0)
    const isKnown = await isKnownNetworkOfAddress(tx, { email, networkHash: requestedFrom })
    const onAllowance = wait > 0
    const allowed = isKnown && secondsToWait(recent.filter(({ isOfCaller }) => isOfCaller)) === 0
    if (onAllowance && !allowed) return tooManyCodes(wait)

    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await tx.query(
      `insert into accounts.email_code (email_key, event, code_hash, asked_from, on_allowance, expires_at)
       values ($1, $2, $3, $4, $5, app.now() + make_interval(mins => $6))`,
      [
        ...[email, event, hashCode(codeKey, { email, event, code })],
        ...[requestedFrom, onAllowance, CODE_MINUTES],
      ],
    )
    await forgetCounts(tx, [triesOfRequester(codeKey, { email, event, network })])
    await outbox.send(tx, mailFor({ email, event, lang, stored, code }))
    return onAllowance ? tooManyCodes(wait) : null
  }
  return db.transaction(send, { keepRefusals: true })
}

/** Whether an event is of one who has an account, and mails nobody else. */
function isOfAccount(event: CodeEvent): boolean {
  return event === 'resetpwd' || event === 'old_email'
}

/** Names the counts of all codes to strangers, which staff are shown before one is used up. */
const TO_ADDRESSES = createHash('sha256').update('codes to addresses').digest()
const TO_ACCOUNTS = createHash('sha256').update('codes to accounts').digest()

/**
 * Counts a code to a stranger; returns the seconds to wait, or 0. Those that only accounts get have a count of their own,
 * in which a code that is not mailed takes nobody's place: invented addresses shut nobody out of his account.
 */
async function waitForBudget(
  tx: Transaction,
  request: { codeKey: Buffer; network: string; event: CodeEvent; isMailed: boolean },
): Promise<number> {
  const { codeKey, network, event, isMailed } = request
  const seconds = DAY_SECONDS
  const keyOf = (name: string) => keyedHash(codeKey, 'codes for', name)
  const key = isOfAccount(event) ? TO_ACCOUNTS : TO_ADDRESSES
  const isCrowded = await haveCounted(tx, { key, tries: ALL_CODES_A_DAY / 2, seconds })
  const max = isCrowded ? CROWDED_CODES_A_DAY : NETWORK_CODES_A_DAY
  const counted = await countOfNetwork(tx, network, { keyOf, max, seconds })
  if (typeof counted === 'number') return counted
  const wait = await countWithin(tx, { key, max: ALL_CODES_A_DAY, seconds, by: isMailed ? 1 : 0 })
  if (wait > 0) await countBack(tx, counted)
  return wait
}

/** Shown in seconds, and beyond an hour in hours. */
function tooManyCodes(wait: number): Refusal {
  if (wait <= HOUR_SECONDS) {
    return { ...refuse('too_many_requests', { retry_after: wait }), wording: 'too_many_codes' }
  }
  const hours = Math.ceil(wait / HOUR_SECONDS)
  return {
    ...refuse('too_many_requests', { retry_after: wait, hours }),
    wording: 'too_many_codes_for_hours',
  }
}

/** The mail for an address; if there is none to send, queuing takes the same time. */
function mailFor(request: {
  email: string
  event: CodeEvent
  lang: Language
  /** Of the existing account. */
  stored: Awaited<ReturnType<typeof storedAddress>>
  code: string
}): Mail | null {
  const { email, event, lang, stored, code } = request
  const values = { code, minutes: CODE_MINUTES }
  if ((stored !== null) === isOfAccount(event)) {
    return {
      to: stored?.address ?? email,
      subject: translate(lang, `mail.${event}.subject`, values),
      text: translate(lang, `mail.${event}.text`, values),
    }
  }
  if (stored === null) return null
  const which = stored.isClosed ? 'account_was_closed' : 'account_exists'
  return {
    to: stored.address,
    subject: translate(lang, `mail.${which}.subject`),
    text: translate(lang, `mail.${which}.text`),
  }
}

/** Whole seconds until another code is allowed, given the earlier ones, the latest first. */
function secondsToWait(earlier: readonly RecentCode[]): number {
  const latest = earlier[0]?.secondsAgo ?? DAY_SECONDS
  const firstOfTheDay = earlier[CODES_A_DAY - 1]?.secondsAgo ?? DAY_SECONDS
  return Math.ceil(Math.max(SECONDS_BETWEEN_CODES - latest, DAY_SECONDS - firstOfTheDay, 0))
}

/**
 * Checks a code. Wrong tries count for the network that makes them: a network that requested a code has five tries of
 * its own, which no other network can use up, and all other networks together have ten a day for an address and
 * event. When those are used up, a network from which the player has signed in has ten a day of its own; a wrong one
 * of them gets the answer of one that is not checked. Each try is counted before it is checked, so that simultaneous
 * tries cannot exceed the limit. A right one is removed again: a player who chose a name that is taken has not
 * guessed.
 *
 * A try is compared with two codes at most, so a stranger who requests codes does not invalidate the code of the
 * owner. With ten codes a day for an address, each requested by another network, at most 10 × 5 × 2 + 10 × 1 = 110 of
 * a million codes are tried in a day; from one network, 50. Each network from which the player has signed in can add
 * at most as many.
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
  const counted = await countTry(db, codeKey, { request, live })
  if (isRefusal(counted)) return counted
  const hash = hashCode(codeKey, request)
  const right = live.filter(({ codeHash }) => timingSafeEqual(codeHash, hash)).at(0)
  if (!right) return counted.ifWrong
  await countBack(db, [counted.key])
  return { codeId: right.id }
}

/** Counts a try, before it is checked; refuses if there are too many. */
async function countTry(
  db: Queryable,
  codeKey: Buffer,
  { request, live }: { request: CodePurpose; live: readonly LiveCode[] },
): Promise<{ key: CountKey; ifWrong: Refusal } | Refusal> {
  const [wrong, tooMany] = [refuse('email_code_wrong'), refuse('email_code_expired')]
  if (live.some(({ isOfCaller }) => isOfCaller)) {
    const key = triesOfRequester(codeKey, request)
    const wait = await countWithin(db, {
      key,
      max: CODE_TRIES_MAX,
      // They outlast the code.
      seconds: CODE_MINUTES * 60 + 1,
    })
    return wait > 0 ? tooMany : { key, ifWrong: wrong }
  }
  const limit = { max: STRANGERS_TRIES_MAX, seconds: DAY_SECONDS }
  const ofStrangers = triesOfStrangers(codeKey, request)
  if ((await countWithin(db, { key: ofStrangers, ...limit })) === 0) {
    return { key: ofStrangers, ifWrong: wrong }
  }
  const { email, network } = request
  const ofKnown = triesOfKnown(codeKey, request)
  const isKnown = await isKnownNetworkOfAddress(db, {
    email,
    networkHash: networkHash(codeKey, network),
  })
  if (!isKnown || (await countWithin(db, { key: ofKnown, ...limit })) > 0) return tooMany
  return { key: ofKnown, ifWrong: tooMany }
}

function triesOfRequester(codeKey: Buffer, { email, event, network }: CodePurpose): CountKey {
  return keyedHash(codeKey, 'code', email, event, network)
}

function triesOfStrangers(codeKey: Buffer, { email, event }: CodePurpose): CountKey {
  return keyedHash(codeKey, 'code of strangers', email, event)
}

function triesOfKnown(codeKey: Buffer, { email, event, network }: CodePurpose): CountKey {
  return keyedHash(codeKey, 'code on a known network', email, event, network)
}

function hashCode(
  codeKey: Buffer,
  { email, event, code }: { email: string; event: CodeEvent; code: string },
): Buffer {
  return createHmac('sha256', codeKey).update(`${email}|${event}|${code}`).digest()
}

type RecentCode = {
  secondsAgo: number
  /** Whether this network requested it. */
  isOfCaller: boolean
  /** Whether it was sent on the allowance of a known network. */
  onAllowance: boolean
}

type LiveCode = { id: bigint; codeHash: Buffer; isOfCaller: boolean }

/**
 * The codes that a try from a network is compared with, two at most: the latest that this network requested
 * (`isOfCaller`), and the latest of all, unless they have expired or been used.
 */
function liveCodes(
  db: Queryable,
  request: { email: string; event: string; network: Buffer },
): Promise<LiveCode[]> {
  return db.query<LiveCode>(
    `with latest as (
       select max(id) as id from accounts.email_code where email_key = $1 and event = $2
       union
       select max(id) from accounts.email_code
       where email_key = $1 and event = $2 and asked_from = $3)
     select id, code_hash as "codeHash", asked_from is not distinct from $3::bytea as "isOfCaller"
     from accounts.email_code join latest using (id)
     where used_at is null and expires_at >= app.now()`,
    [request.email, request.event, request.network],
  )
}

/** Locks a code until the transaction ends; false if it has been used. */
export function lockCode(tx: Transaction, id: bigint): Promise<boolean> {
  return tx.exists(`select from accounts.email_code where id = $1 and used_at is null for update`, [
    id,
  ])
}

export async function useCode(tx: Transaction, id: bigint): Promise<void> {
  await tx.query(`update accounts.email_code set used_at = app.now() where id = $1`, [id])
}
