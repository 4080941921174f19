import type { ParsedOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-reports-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import { wirePage } from '#src/db/list.ts'
import { csvText } from '#src/formats/csv.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { instantsOfDays } from '#src/http/day-range.ts'
import { bindDownload, type DownloadBinding } from '#src/http/serve-downloads.ts'
import { auditExport } from '#src/modules/staff/audit.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { wireOf } from '#src/wire-form.ts'
import {
  activityPage,
  countRows,
  type ReportFigures,
  type ReportRequest,
  type ReportRow,
  reportChoices,
  reportPage,
  reportSum,
  wholeReport,
} from './report-store.ts'

/** The request, with defaults for what it left out. */
function askOf(
  { timeZone, now }: Pick<Resources, 'timeZone' | 'now'>,
  filters: ParsedOf<typeof wire.reportTotals>,
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

export function reportRoutes(deps: Resources): RouteBinding[] {
  const { db, timeZone, now } = deps
  return [
    bind(wire.reportList, async ({ input }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      return wirePage(await reportPage(db, ask, input), figuresReply)
    }),

    bind(wire.reportTotals, async ({ input }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      const sum = await reportSum(db, ask)
      const rows = await countRows(db, ask)
      const days = { begin_date: ask.beginDay, end_date: ask.endDay }
      return { ...days, rows, ...figuresReply(sum ?? NOTHING) }
    }),

    bindList(db, wire.activityList, async (db, { by = 'day', ...input }) => {
      const span = instantsOfDays(timeZone, now(), input)
      if (isRefusal(span)) return span
      // A day to come has no row.
      const until = Math.min(span.until, startOfDay(timeZone, addDays(dayOf(timeZone, now()), 1)))
      const days = { beginDay: dayOf(timeZone, span.from), endDay: dayOf(timeZone, until - 1) }
      const ask = { by, ...days, from: span.from, until, zone: timeZone }
      return wirePage(await activityPage(db, ask, input))
    }),

    bind(wire.reportChoices, async () => ({
      today: dayOf(timeZone, now()),
      ...(await reportChoices(db)),
    })),
  ]
}

export function reportDownloads(deps: Resources): DownloadBinding[] {
  return [
    bindDownload(wire.reportCsv, async ({ input, caller }) => {
      const ask = askOf(deps, input)
      if (isRefusal(ask)) return ask
      const exported = { session: caller.token, list: 'reports', ask: input }
      const unlogged = await auditExport(deps.db, exported)
      if (unlogged) return unlogged
      const { by, robots, beginDay, endDay } = ask
      const columns = [...ABOUT[by], ...FIGURES]
      return {
        name: `report-by-${by}${robots ? '-robots' : ''}-${beginDay}-${endDay}.csv`,
        chunks: csvText(
          columns.map(([heading]) => heading),
          wholeReport(deps.fileDb, ask, input),
          { cells: (row) => columns.map(([, cell]) => cell(row)) },
        ),
      }
    }),
  ]
}

const NOTHING: ReportFigures = {
  bets: 0n,
  turnover: 0n,
  payouts: 0n,
  result: 0n,
  expected: 0n,
  deviation: null,
  deposits: null,
  withdrawals: null,
  adjustments: null,
}

function figuresReply<Figures extends ReportFigures>({ bets, ...figures }: Figures) {
  return { ...wireOf(figures), bets: Number(bets) }
}

type Column = readonly [heading: string, cell: (row: ReportRow) => string]

/** The subject of a row, by the kind of report. */
const ABOUT: Record<ReportRequest['by'], readonly Column[]> = {
  day: [['day', ({ day }) => day ?? '']],
  game: [['game', ({ game }) => game ?? '']],
  room: [
    ['game', ({ game }) => game ?? ''],
    ['room', ({ room }) => room ?? ''],
  ],
  player: [
    ['player_id', ({ id }) => String(id)],
    ['username', ({ username }) => username ?? ''],
  ],
}

const FIGURES: readonly Column[] = [
  ['bets', ({ bets }) => String(bets)],
  ['turnover', ({ turnover }) => formatAmount(turnover)],
  ['payouts', ({ payouts }) => formatAmount(payouts)],
  ['result', ({ result }) => formatAmount(result)],
  ['return', ({ payouts, turnover }) => share(payouts, turnover)],
  ['expected_payouts', ({ expected }) => formatAmount(expected)],
  ['return_in_theory', ({ expected, turnover }) => share(expected, turnover)],
  ['deviation', ({ deviation }) => (deviation === null ? '' : formatAmount(deviation))],
  ['deposits', ({ deposits }) => (deposits === null ? '' : formatAmount(deposits))],
  ['withdrawals', ({ withdrawals }) => (withdrawals === null ? '' : formatAmount(withdrawals))],
  ['adjustments', ({ adjustments }) => (adjustments === null ? '' : formatAmount(adjustments))],
]

/** A fraction of the turnover, with four decimals: `0.9644`. Empty if the turnover is zero. */
function share(part: bigint, turnover: bigint): string {
  if (turnover === 0n) return ''
  const shown = (part * 10_000n + turnover / 2n) / turnover
  return `${shown / 10_000n}.${String(shown % 10_000n).padStart(4, '0')}`
}
