/** Results of rounds: their SQL and their wire form. */
import type { IssueResult } from '@sum28/contract/replies.ts'
import { labelsOfSum } from '@sum28/domain/digits.ts'
import type { Queryable } from '#src/db/database.ts'
import { unixSeconds } from '#src/wire-form.ts'

export type Result = {
  issue: string
  status: 'drawn' | 'voided'
  digits: [number, number, number] | null
  total: number | null
  /** When it was drawn, or voided. */
  drawnAt: number
  /** Whether a witness saw its book before the beacon's value existed; null if it has no book. */
  witnessed: boolean | null
}

const RESULT = `round.issue::text, case when state = 'voided' then 'voided' else 'drawn' end as status,
  case when draw.issue is not null then array[digit_1, digit_2, digit_3] end as digits, total,
  coalesce(drawn_at, voided_at) as "drawnAt", rounds.was_witnessed(round) as witnessed`

const RESULTS_OF_GAME = `rounds.round left join rounds.draw using (game_id, issue)
  where game_id = $1::integer and state in ('drawn', 'settled', 'voided')`

export type ResultQuery = {
  gameId: number
  /** A game day; null: all days. */
  day: string | null
  limit: number
  offset: number
}

/** Results of a game, newest first. */
export async function resultsOf(
  db: Queryable,
  { gameId, day, limit, offset }: ResultQuery,
): Promise<Result[]> {
  if (day !== null) return resultsOfDays(db, { gameId, first: day, last: day, limit, offset })
  if (offset === 0) return resultsOfDays(db, { gameId, first: null, last: null, limit, offset })
  const page = await daysAt(db, { gameId, limit, offset })
  if (!page) return []
  return resultsOfDays(db, { gameId, ...page, limit, offset: offset - page.skipped })
}

function resultsOfDays(
  db: Queryable,
  days: {
    gameId: number
    first: string | null
    last: string | null
    limit: number
    offset: number
  },
): Promise<Result[]> {
  return db.query<Result>(
    `select ${RESULT} from ${RESULTS_OF_GAME} and ($2::date is null or game_day between $2 and $3::date)
     order by draws_at desc limit $4 offset $5`,
    [days.gameId, days.first, days.last, days.limit, days.offset],
  )
}

/** The two latest results of a game, newest first: every room shows them. */
export function latestResults(db: Queryable, gameId: number): Promise<Result[]> {
  return db.query<Result>(
    `select ${RESULT} from ${RESULTS_OF_GAME} order by draws_at desc limit 2`,
    [gameId],
    { prepared: true },
  )
}

type DaysAt = { first: string; last: string; skipped: number }

/** The days of a page, and how many results newer days have, which need not be read. */
async function daysAt(
  db: Queryable,
  { gameId, limit, offset }: { gameId: number; limit: number; offset: number },
): Promise<DaysAt | null> {
  const { first, last, skipped } = await db.one<{ [Key in keyof DaysAt]: DaysAt[Key] | null }>(
    `select min(game_day) as first, max(game_day) as last, min(upto - results)::integer as skipped
       from (
         select game_day, results, sum(results) over (order by game_day desc) as upto
         from rounds.day where game_id = $1::integer
       ) day
       where upto > $2 and upto - results < $3`,
    [gameId, offset, offset + limit],
  )
  return first === null || last === null || skipped === null ? null : { first, last, skipped }
}

export function countResults(
  db: Queryable,
  { gameId, day }: Pick<ResultQuery, 'gameId' | 'day'>,
): Promise<number> {
  return db.value(
    `select coalesce(sum(results), 0)::integer from rounds.day
     where game_id = $1::integer and ($2::date is null or game_day = $2)`,
    [gameId, day],
  )
}

/** A result in wire form; a voided round only shows that it is voided. */
export function issueResult(result: Result): IssueResult {
  const { issue, status, digits, total, drawnAt, witnessed } = result
  const labels = total === null ? null : labelsOfSum(total)
  return {
    issue,
    site_1: digits?.[0] ?? null,
    site_2: digits?.[1] ?? null,
    site_3: digits?.[2] ?? null,
    code: total,
    base: labels ? labels.base : ['', ''],
    join: labels?.join ?? '',
    status,
    drawn_at: unixSeconds(drawnAt),
    witnessed,
  }
}

/** Three digits and the sum, separated by spaces: `"1 2 3 6"`; empty if there was no draw. */
export function lotteryCode({ digits, total }: Pick<Result, 'digits' | 'total'>): string {
  return digits ? [...digits, total].join(' ') : ''
}
