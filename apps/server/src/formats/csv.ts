/** Tables as CSV (RFC 4180) whose cells no spreadsheet interprets as formulas. */

/** The prefix of a file by which spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * One line with its end.
 *
 * What a spreadsheet could interpret as a formula gets an apostrophe in front, unless the cell is a plain number such
 * as `-3.50`.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`
}

/**
 * How formulas begin: in the cell, or behind a character that a spreadsheet with another setting takes for the end of
 * a cell or a line. Some spreadsheets treat the full-width forms in the same way.
 */
const FORMULA = /(^|[;|\t\r\n])( *)(?=[=+\-@＝＋－＠])/g
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/

function harmless(cell: string): string {
  if (PLAIN_NUMBER.test(cell)) return cell
  const text = cell.replace(FORMULA, "$1$2'")
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

function quoted(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
