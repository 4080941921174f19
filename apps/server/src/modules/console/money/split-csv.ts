/** Splits CSV into rows of cells: RFC 4180, with any line ending, and comma, semicolon or tab as the separator. */

export type CsvRow = {
  /** The number of its first line, from 1. */
  line: number
  cells: string[]
}

/**
 * Skips empty lines. The first line decides which separator is used.
 *
 * @returns the rows; or the number of the line with a quoted cell that does not end or has text after its quotes, or
 * of the first line after `rowsMax`
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
      // A separator at the very end is followed by an empty cell.
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

/** The most frequent one of comma, semicolon and tab in the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (mark: string) => first.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

/** The cell at a position: its text, its end, and how many line breaks it contains. */
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
