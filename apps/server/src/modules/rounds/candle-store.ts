/** The rounds module's SQL for candles. */

import type { CandleOnWire } from '@sum28/contract/replies.ts'
import { candleOf, candleTuple } from '@sum28/domain/candles.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import type { Queryable } from '#src/db/database.ts'

export type CandleRow = {
  issue: string
  /** The game's index before the round, in halves. */
  openedHalves: number
  digits: Digits
  total: number
  /** Whether a witness saw its book in time. */
  witnessed: boolean
}

export type CandleQuery = {
  gameId: number
  /** A game day; null: all days. */
  day: string | null
  /** A round and its game day: only rounds before it. */
  before: { issue: string; day: string } | null
  limit: number
}

/** The latest drawn rounds that match the query, oldest first. */
export async function candlesBefore(
  db: Queryable,
  { gameId, day, before, limit }: CandleQuery,
): Promise<CandleRow[]> {
  const latestFirst = await db.query<CandleRow>(
    `select candle.issue::text as issue, opened as "openedHalves",
       array[digit_1, digit_2, digit_3] as digits, total,
       (select rounds.was_witnessed(round) from rounds.round
         where round.game_id = candle.game_id and round.issue = candle.issue) as witnessed
     from rounds.candle join rounds.draw using (game_id, issue)
     where game_id = $1::integer and ($2::date is null or game_day = $2)
       and ($3::date is null or (game_day, candle.issue) < ($3::date, $4::bigint))
     order by game_day desc, candle.issue desc limit $5`,
    [gameId, day, before?.day ?? null, before?.issue ?? null, limit],
  )
  return latestFirst.reverse()
}

/** A drawn round as a candle in wire form. */
export function wireCandle(row: CandleRow): CandleOnWire {
  const { issue, openedHalves, digits, total, witnessed } = row
  const [first, second, third] = digits
  return {
    issue,
    cand: candleTuple(candleOf(openedHalves / 2, digits)),
    cand_code: labelsOfSum(total).join,
    code: total,
    site_1: first,
    site_2: second,
    site_3: third,
    witnessed,
  }
}
