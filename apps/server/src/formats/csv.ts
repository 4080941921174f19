/** Tables as CSV (RFC 4180) whose cells spreadsheets leave as they are. */
import type { Language } from '@sum28/i18n/languages.ts'

/** The prefix of a file by which spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** What is between the cells of a table, and before the decimals of its numbers. */
export type CsvForm = { between: ',' | ';'; decimal: '.' | ',' }

/** For programs, and for spreadsheets in most languages. */
const USUAL: CsvForm = { between: ',', decimal: '.' }

/** The form that a spreadsheet in a language opens by itself: in Vietnamese and Indonesian a comma begins the decimals. */
export function csvFormOf(lang: Language): CsvForm {
  return lang === 'vi' || lang === 'id' ? { between: ';', decimal: ',' } : USUAL
}

/**
 * A whole table.
 *
 * @param pages its rows; each page is read when the text of the one before is taken
 * @yields its text: the headings with the first page, then each page
 */
export async function* csvText<Row>(
  headings: readonly string[],
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { cells, form }: { cells: (row: Row) => readonly string[]; form?: CsvForm },
): AsyncGenerator<string> {
  let text = BYTE_ORDER_MARK + csvLine(headings, form)
  for await (const rows of pages) {
    for (const row of rows) text += csvLine(cells(row), form)
    yield text
    text = ''
  }
  if (text) yield text
}

/**
 * One line with its end.
 *
 * What a spreadsheet could interpret as a formula gets an apostrophe in front, and so does what it would store as
 * another value: a number with a leading zero or of more digits than it shows (it writes `2.02611E+15` when it is
 * saved), and text like `1E5` or `3-4`. A plain number such as `-3.50` stays one.
 */
export function csvLine(cells: readonly string[], { between, decimal } = USUAL): string {
  const written = cells.map((cell) => {
    if (NUMBERS.test(cell)) return quoted(cell.replaceAll('.', decimal))
    return quoted(CHANGED.test(cell) ? `'${cell}` : harmless(cell))
  })
  return `${written.join(between)}\r\n`
}

/** A number that a spreadsheet shows whole: it shows 11 digits before the point. */
const NUMBER = String.raw`((0|[1-9]\d*)\.\d+|0|[1-9]\d{0,10})`
/** One, or some with blanks between. */
const NUMBERS = new RegExp(`^([+-]?${NUMBER}|${NUMBER}( ${NUMBER})+)$`)
const CHANGED = /^(\d+|\d+(\.\d+)?E[+-]?\d+|\d{1,2}([-/]\d{1,4}){1,2})$/i

/**
 * How formulas begin: in the cell, or behind a character that a spreadsheet with another setting takes for the end of
 * a cell or a line, also within quotation marks. Some spreadsheets treat the full-width forms in the same way.
 */
const FORMULA = /(^|[,;|\t\r\n])([ "]*)(?=[=+\-@＝＋－＠])/g

function harmless(cell: string): string {
  const text = cell.replace(FORMULA, "$1$2'")
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

function quoted(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Writes instants as local time, with the offset from UTC: of milliseconds since 1970. */
export function stamper(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  return (at) => {
    const part = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    const offset = part.timeZoneName?.replace('GMT', '') || '+00:00'
    return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${offset}`
  }
}
