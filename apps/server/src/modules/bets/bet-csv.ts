/** A player's bets as CSV, read and written batch by batch. */
import { formatAmount } from '@sum28/domain/money.ts'
import { formatOdds } from '@sum28/domain/odds.ts'
import { ruleById } from '@sum28/domain/outcomes.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { hasMessage, type MessageKey, translate } from '@sum28/i18n/translate.ts'
import type { Database } from '#src/db/database.ts'
import { csvFormOf, csvText, stamper } from '#src/formats/csv.ts'
import { type ExportedBet, type HistoryRange, wholeHistory } from './bet-store.ts'
import { betRecord } from './bet-wire.ts'

/** Bets read at a time: one export holds these in memory. */
const BATCH = 500

/** How long a file may take: it holds its snapshot and its connection for that time. */
const LIMIT_MS = 120_000

const COLUMNS = [
  'csv.order_no',
  'csv.placed_at',
  'csv.game',
  'csv.room',
  'csv.round',
  'csv.selections',
  'csv.odds',
  'csv.stake_each',
  'csv.stake',
  'csv.status',
  'csv.draw',
  'csv.payout',
  'csv.refund',
  'csv.profit',
  'csv.settled_at',
] as const satisfies readonly MessageKey[]

/**
 * Writes the bets of a range, oldest first, after a line of headings, in the form that a spreadsheet in the player's
 * language opens. All come from one snapshot, taken with the
 * first chunk, whatever is bet and settled meanwhile.
 *
 * @param db a pool for files only: each file holds a connection for as long as its reader takes
 * @yields the text of the file in chunks of up to 500 bets; each is read when it is requested
 * @throws if the file takes longer than two minutes
 */
export function betCsv(
  db: Database,
  range: HistoryRange,
  { lang, timeZone }: { lang: Language; timeZone: string },
): AsyncGenerator<string> {
  const stamp = stamper(timeZone)
  const headings = COLUMNS.map((column) => translate(lang, column))
  return csvText(headings, wholeHistory(db, range, { batch: BATCH, limitMs: LIMIT_MS }), {
    cells: (bet) => cellsOf(bet, lang, stamp),
    form: csvFormOf(lang),
  })
}

function cellsOf(bet: ExportedBet, lang: Language, stamp: (at: number) => string): string[] {
  const { profit, lottery_code: draw } = betRecord(bet)
  return [
    bet.orderNo,
    stamp(bet.acceptedAt),
    bet.gameName,
    bet.roomTitle,
    bet.issue,
    bet.ruleIds.map((id) => outcomeWord(id, lang)).join(', '),
    bet.oddsMilli.map(formatOdds).join(' '),
    formatAmount(bet.stake),
    formatAmount(bet.total),
    translate(lang, `csv.status.${bet.status}`),
    draw,
    formatAmount(bet.payout),
    formatAmount(bet.status === 'refunded' ? bet.total : 0n),
    profit,
    bet.settledAt === null ? '' : stamp(bet.settledAt),
  ]
}

function outcomeWord(ruleId: number, lang: Language): string {
  const outcome = ruleById(ruleId)?.outcome ?? String(ruleId)
  const key = `csv.outcome.${outcome}`
  return hasMessage(key) ? translate(lang, key) : outcome
}
