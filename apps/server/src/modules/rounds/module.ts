/** Rounds: results, candles, and proofs of draws. */
import { fairnessRound } from '@sum28/contract/fairness-routes.ts'
import { cand, issueList } from '@sum28/contract/lottery-routes.ts'
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { isDay } from '@sum28/domain/schedule.ts'
import { bind, type RouteBinding } from '#src/http/call.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { isGame } from '#src/modules/games/catalog.ts'
import { malformed, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { candlesBefore, wireCandle } from './candle-store.ts'
import { publishedRound, publishedRoundByIssue } from './published-round.ts'
import { countResults, issueResult, resultCache, resultsOf } from './results.ts'

type RoundsDeps = Pick<Resources, 'db' | 'timeZone' | 'now'> & {
  /** What the public log proves of a round. */
  readLogProof: (round: { gameId: number; issue: string }) => Promise<PublishedRoundOnWire['log']>
}

export function roundsModule(deps: RoundsDeps) {
  return { routes: publicRoutes(deps) }
}

/** What a chart loads at once. */
const CANDLES_MAX = 300

export function publicRoutes({ db, timeZone, now, readLogProof }: RoundsDeps): RouteBinding[] {
  const share = resultCache({ db, timeZone, now })
  return [
    bind(issueList, ({ input }) => {
      const paging = pagingOf(input)
      const { page, limit, offset } = paging
      const query = { gameId: input.game_id, day: input.date ?? null }
      const key = `results ${page} ${limit}`
      return share({ ...query, key }, async () => {
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
      return share({ ...query, key: `candles ${before?.issue}` }, async () => {
        const rows = await candlesBefore(db, { ...query, before, limit: CANDLES_MAX })
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
}
