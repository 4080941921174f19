/** Splits CSV into rows of cells: RFC 4180, with any end of line, and comma, semicolon or tab between cells. */

export type CsvRow = {
  /** Where it begins, from 1. */
  line: number
  cells: string[]
}

/**
 * Empty lines are passed over. The first line decides what stands between cells.
 *
 * @returns the rows; or the line with a quoted cell that has no end, or that goes on after its quotes, or the first
 *   line past `rowsMax`
 */
export function splitCsv(
  text: string,
  rowsMax: number,
): CsvRow[] | { line: number; problem: string } {
  const between = separatorOf(text)
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let line = 1
  let at = 0
  while (at < text.length) {
    const cell = readCell(text, at, between)
    if (cell === 'endless') return { line, problem: 'A quoted cell has no end' }
    row.cells.push(cell.text)
    line += cell.lines
    at = cell.end
    const next = text[at]
    if (next === between) {
      at += 1
      // A separator at the very end has an empty cell after it.
      if (at < text.length) continue
      row.cells.push('')
    } else if (next !== undefined && next !== '\r' && next !== '\n') {
      return { line, problem: 'Something follows the quotes of a cell' }
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    if (row.cells.some((each) => each.trim() !== '')) {
      if (rows.length === rowsMax) {
        return { line: row.line, problem: `The file has more than ${rowsMax} lines` }
      }
      rows.push(row)
    }
    line += 1
    row = { line, cells: [] }
  }
  return rows
}

/** The one of comma, semicolon and tab that is in the first line most often. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (mark: string) => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** The cell at a place: its text, where it ends, and how many ends of lines are within it. */
function readCell(
  text: string,
  at: number,
  between: string,
): { text: string; end: number; lines: number } | 'endless' {
  if (text[at] !== '"') {
    let end = at
    while (end < text.length && !`${between}\r\n`.includes(text[end] ?? '')) end += 1
    return { text: text.slice(at, end), end, lines: 0 }
  }
  let end = at + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end < 0) return 'endless'
    if (text[end + 1] !== '"') break
    end += 2
  }
  const cell = text.slice(at + 1, end).replaceAll('""', '"')
  return { text: cell, end: end + 1, lines: cell.split(/\r\n|\r|\n/).length - 1 }
}
