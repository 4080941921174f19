/** Tables as CSV (RFC 4180) whose cells no spreadsheet interprets as formulas. */

/** The prefix of a file by which spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * One line with its end.
 *
 * A cell that a spreadsheet could interpret as a formula gets an apostrophe in front, unless it is a plain number
 * such as `-3.50`.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`
}

/** How formulas begin. Some spreadsheets treat the full-width forms in the same way. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/

function harmless(cell: string): string {
  return FORMULA_START.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
