/** The operator's settings of player protection, stored where the application cannot write. */
import { type Amount, parseAmount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { commaList } from '#src/formats/setting-kinds.ts'

const LIMIT_KINDS = ['deposit', 'loss', 'stake'] as const
const LIMIT_PERIODS = ['day', 'week', 'month'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/** A limit that holds for every player, in micro-units. */
export type HouseLimit = {
  readonly source: 'operator' | 'law'
  readonly kind: LimitKind
  readonly period: LimitPeriod
  readonly amount: Amount
}

export const houseLimitVariables = {
  LIMITS_BY_LAW: limitsBy('law'),
  LIMITS_BY_OPERATOR: limitsBy('operator'),
}

/** Limits that hold for every player, such as `deposit day 1000, loss month 5000`. */
function limitsBy(source: HouseLimit['source']) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return readHouseLimits(source, text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is wrong: it ${(error as Error).message}` })
        return z.NEVER
      }
    })
}

/**
 * Parses configured limits, such as `deposit day 1000, loss month 5000`, in u.
 *
 * @throws Error that names what is wrong
 */
export function readHouseLimits(source: HouseLimit['source'], text: string): HouseLimit[] {
  const limits = commaList(text).map((each) => readHouseLimit(source, each))
  const names = limits.map(({ kind, period }) => `${kind} ${period}`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`sets the limit ${twice} twice`)
  return limits
}

function readHouseLimit(source: HouseLimit['source'], text: string): HouseLimit {
  const [kind, period, u, ...more] = text.split(/\s+/)
  if (!isOneOf(LIMIT_KINDS, kind) || !isOneOf(LIMIT_PERIODS, period) || more.length > 0) {
    throw new Error(
      `has ‘${text}’, which is not deposit, loss or stake, then day, week or month, then an amount`,
    )
  }
  const amount = parseAmount(u ?? '')
  if (!amount.ok) throw new Error(`has ‘${text}’, whose amount is not one in u such as 1000`)
  return { source, kind, period, amount: amount.amount }
}

function isOneOf<Word extends LimitKind | LimitPeriod>(
  words: readonly Word[],
  text: string | undefined,
): text is Word {
  return words.some((word) => word === text)
}

/** Of a player who chose nothing else: a check after an hour of play, which half an hour without a bet ends. */
export const USUAL_CHECKS = { sessionBreakMs: 30 * 60_000, checkEveryMs: 60 * 60_000 }

export type ProtectionTerms = {
  /** The time zone of days, weeks and months. */
  readonly timeZone: string
  /** A session of play has ended when no bet was placed for this time. */
  readonly sessionBreakMs: number
  /** After how much play a player without his own setting gets the reality check. */
  readonly checkEveryMs: number
  readonly limits: readonly HouseLimit[]
}

/**
 * Stores the terms for every process on this database; they apply from the next order and deposit on.
 *
 * @param owner the database as its owner: the application's role may only read them
 */
export async function writeProtectionTerms(
  owner: Transaction,
  { timeZone, sessionBreakMs, checkEveryMs, limits }: ProtectionTerms,
): Promise<void> {
  await owner.query(
    `update protection.house set time_zone = $1,
       session_break = make_interval(secs => $2::float8 / 1000),
       check_every_default = make_interval(secs => $3::float8 / 1000)`,
    [timeZone, sessionBreakMs, checkEveryMs],
  )
  await owner.query('delete from protection.house_limit')
  await owner.query(
    `insert into protection.house_limit (source, kind, period, amount)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`,
    [
      limits.map(({ source }) => source),
      limits.map(({ kind }) => kind),
      limits.map(({ period }) => period),
      limits.map(({ amount }) => amount),
    ],
  )
}

export async function protectionTermsOf(
  db: Queryable,
): Promise<Pick<ProtectionTerms, 'timeZone' | 'limits'>> {
  const timeZone = await db.value<string>('select time_zone from protection.house')
  const limits = await db.query<HouseLimit>(
    'select source, kind, period, amount from protection.house_limit',
  )
  return { timeZone, limits }
}
