/** Tables as CSV (RFC 4180) that no spreadsheet takes for formulas. */

/** Put in front of a file's first line, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * One line with its end.
 *
 * A cell that a spreadsheet could take for a formula gets an apostrophe in front, unless it is a
 * plain number such as `-3.50`.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`
}

/** What formulas begin with, full-width forms too, which some spreadsheets take alike. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/

function harmless(cell: string): string {
  return FORMULA_START.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
