/** A report as CSV, read and written batch by batch. */
import { formatAmount } from '@sum28/domain/money.ts'
import type { Database } from '#src/db/database.ts'
import type { KeysetRequest } from '#src/db/keyset.ts'
import { BYTE_ORDER_MARK, csvLine } from '#src/formats/csv.ts'
import { type ReportRequest, type ReportRow, wholeReport } from './report-store.ts'

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

/**
 * @param db a pool for files only: each file holds a connection for as long as its reader takes
 * @yields the text of the file in chunks of up to 500 rows; each is read when it is requested
 */
export async function* reportCsv(
  db: Database,
  ask: ReportRequest,
  order: Pick<KeysetRequest, 'sort' | 'order'>,
): AsyncGenerator<string> {
  const columns = [...ABOUT[ask.by], ...FIGURES]
  let text = BYTE_ORDER_MARK + csvLine(columns.map(([heading]) => heading))
  for await (const rows of wholeReport(db, ask, order)) {
    for (const row of rows) text += csvLine(columns.map(([, cell]) => cell(row)))
    yield text
    text = ''
  }
}

/** A fraction of the turnover, with four decimals: `0.9644`. Empty if the turnover is zero. */
function share(part: bigint, turnover: bigint): string {
  if (turnover === 0n) return ''
  const shown = (part * 10_000n + turnover / 2n) / turnover
  return `${shown / 10_000n}.${String(shown % 10_000n).padStart(4, '0')}`
}
