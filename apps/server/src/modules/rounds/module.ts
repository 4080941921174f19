/** Rounds: results, candles, and proofs of draws. */
import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { cand, issueList } from '@sum28/contract/lottery-routes.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import type { CandleOnWire } from '@sum28/contract/replies.ts'
import { candleOf, candleTuple } from '@sum28/domain/candles.ts'
import { type Digits, labelsOfSum } from '@sum28/domain/digits.ts'
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { isDay } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { readByName } from '#src/db/shared-reads.ts'
import { bind } from '#src/http/call.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { isGame } from '#src/modules/games/catalog.ts'
import { malformed, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { publishedRound, publishedRoundByIssue } from './published-round.ts'
import { countResults, issueResult, resultsOf } from './results.ts'

type RoundsDeps = Pick<Resources, 'db'> & {
  /** What the public log proves of a round. */
  readLogProof: (round: { gameId: number; issue: string }) => Promise<PublishedRoundOnWire['log']>
}

/** What a chart loads at once. */
const CANDLES_MAX = 300

export function roundsModule({ db, readLogProof }: RoundsDeps) {
  const share = readByName()
  const routes = [
    bind(issueList, ({ input }) => {
      const paging = pagingOf(input)
      const { page, limit, offset } = paging
      const query = { gameId: input.game_id, day: input.date ?? null }
      const name = `results ${query.gameId} ${query.day} ${page} ${limit}`
      return share(name, async () => {
        const results = await resultsOf(db, { ...query, limit, offset })
        if (results.length === 0 && !(await isGame(db, input.game_id))) return refuse('not_found')
        const total = page === null ? 0 : await countResults(db, query)
        return listReply(results.map(issueResult), total, paging)
      })
    }),

    bind(cand, async ({ input }) => {
      const query = { gameId: input.game_id, day: input.date ?? null }
      const before = input.before
        ? { issue: input.before, day: gameDayOfIssue(input.before) }
        : null
      if (before && !isDay(before.day)) return malformed({ before: 'issue' })
      return share(`candles ${query.gameId} ${query.day} ${before?.issue}`, async () => {
        const rows = await candlesBefore(db, { ...query, before })
        if (rows.length === 0 && !(await isGame(db, input.game_id))) return refuse('not_found')
        return rows.map(wireCandle)
      })
    }),

    bind(fairnessRound, async ({ input }) => {
      const named = { gameId: input.game_id, issue: input.issue }
      // Read first: what the log proves is then no later than what the round states.
      const log = await readLogProof(named)
      const row = await publishedRoundByIssue(db, named)
      return row ? publishedRound(row, log) : refuse('not_found')
    }),
  ]
  return { routes }
}

type CandleRow = {
  issue: string
  /**
   * The game's index before the round, in halves: 0 before the day's first draw, and each draw moves it by its three
   * digits less 13.5. The candle itself follows from it and the digits.
   */
  openedHalves: number
  digits: Digits
  total: number
  /** Whether a witness saw its book in time. */
  witnessed: boolean
}

/**
 * The latest drawn rounds, oldest first.
 *
 * @param asked `day`: a game day, null for all; `before`: a round and its game day, for those before it alone
 */
async function candlesBefore(
  db: Queryable,
  asked: { gameId: number; day: string | null; before: { issue: string; day: string } | null },
): Promise<CandleRow[]> {
  const { gameId, day, before } = asked
  return db.query<CandleRow>(
    `with shown as (
       select game_id, game_day, issue, rounds.was_witnessed(round) as witnessed
       from rounds.round join rounds.draw using (game_id, issue)
       where game_id = $1::integer and ($2::date is null or game_day = $2)
         and ($3::date is null or (game_day, issue) < ($3::date, $4::bigint))
       order by game_day desc, issue desc limit $5
     ), moved as materialized (
       select game_id, issue, coalesce(sum(2 * total - 27) over (
         partition by game_day order by issue rows between unbounded preceding and 1 preceding), 0)::integer as opened
       from rounds.round join rounds.draw using (game_id, issue)
       where game_id = $1::integer
         and game_day between (select min(game_day) from shown) and (select max(game_day) from shown)
     )
     select issue::text, opened as "openedHalves", array[digit_1, digit_2, digit_3] as digits, total, witnessed
     from shown join moved using (game_id, issue) join rounds.draw using (game_id, issue)
     order by game_day, shown.issue`,
    [gameId, day, before?.day ?? null, before?.issue ?? null, CANDLES_MAX],
  )
}

/** A drawn round as a candle in wire form. */
function wireCandle(row: CandleRow): CandleOnWire {
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
