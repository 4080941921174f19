import * as wire from '@sum28/contract/staff-reports-routes.ts'
import { dayOf } from '@sum28/domain/schedule.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import { instantsOfDays } from '#src/http/day-range.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import { countFinishedRounds } from './figures-store.ts'
import { reportCsv } from './report-csv.ts'
import {
  countRows,
  type ReportFigures,
  type ReportRequest,
  reportChoices,
  reportPage,
  reportSum,
} from './report-store.ts'

type Filters = {
  by?: wire.ReportBy | undefined
  who?: 'players' | 'robots' | undefined
  begin_date?: string | undefined
  end_date?: string | undefined
  game_id?: number | undefined
  room_id?: number | undefined
  player_id?: number | undefined
}

/** The request, with defaults for what it left out. */
function askOf(
  { timeZone, now }: Pick<Resources, 'timeZone' | 'now'>,
  filters: Filters,
): ReportRequest | Refusal {
  const span = instantsOfDays(timeZone, now(), filters)
  if (isRefusal(span)) return span
  return {
    ...span,
    by: filters.by ?? 'day',
    robots: filters.who === 'robots',
    beginDay: dayOf(timeZone, span.from),
    endDay: dayOf(timeZone, span.until - 1),
    zone: timeZone,
    gameId: filters.game_id ?? null,
    roomId: filters.room_id ?? null,
    playerId: filters.player_id ?? null,
  }
}

/** Serves the calls of `staff-reports-routes.ts`. */
export function reportRoutes(deps: Resources): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    bind(wire.reportList, async ({ input }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      await countFinishedRounds(db)
      return wirePage(await reportPage(db, ask, input), figuresReply)
    }),

    bind(wire.reportTotals, async ({ input }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      await countFinishedRounds(db)
      const sum = await reportSum(db, ask)
      const rows = await countRows(db, ask)
      const days = { begin_date: ask.beginDay, end_date: ask.endDay }
      return { ...days, rows, ...figuresReply(sum ?? NOTHING) }
    }),

    bind(wire.reportChoices, async () => ({
      today: dayOf(timeZone, now()),
      ...(await reportChoices(db)),
    })),
  ]
}

/** Serves the files of `staff-reports-routes.ts`. */
export function reportDownloads(deps: Resources): DownloadBinding[] {
  return [
    bindDownload(wire.reportCsv, async ({ input }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      await countFinishedRounds(deps.db)
      const { by, robots, beginDay, endDay } = ask
      return {
        name: `report-by-${by}${robots ? '-robots' : ''}-${beginDay}-${endDay}.csv`,
        chunks: reportCsv(deps.fileDb, ask, input),
      }
    }),
  ]
}

const NOTHING: ReportFigures = {
  ...{ bets: 0n, turnover: 0n, payouts: 0n, result: 0n, expected: 0n },
  ...{ deviation: null, deposits: null, withdrawals: null, adjustments: null },
}

function figuresReply<Figures extends ReportFigures>({ bets, ...figures }: Figures) {
  return { ...wireOf(figures), bets: Number(bets) }
}
