/**
 * Reads the bank's answer file: CSV as banks and spreadsheets write it. Returns the answers or all wrong lines.
 */
import { paymentReference } from '@sum28/contract/fields.ts'
import { type Amount, parseAmount } from '@sum28/domain/money.ts'

/** The bank's answer for one withdrawal. */
export type BankAnswer = {
  /** The line of the file, from 1. */
  line: number
  withdrawal: number
  amount: Amount
  state: 'paid' | 'failed'
  reference: string | null
  reason: string | null
}

/** What is wrong, and in which line. */
export type LineFault = { line: number; problem: string }

export const FAULTS_MAX = 100

/** More withdrawals than any batch has. */
export const ANSWERS_MAX = 5_000

const NEEDED = ['withdrawal', 'amount', 'status', 'reference'] as const
const REASON_MAX = 200
const NO_REFERENCE = 'reference is not four or more printable letters and digits'
const IN_TIME =
  'amount is a date that a spreadsheet has made of it: take the file as the bank sent it, or open it with that column as text'
const TWO_READINGS =
  'amount can be read in two ways, as thousands or as parts of one: write it with two decimals, such as 1234,00'
const SHORTENED =
  'reference is a number that a spreadsheet has shortened: take the file as the bank sent it, or open it with that column as text'

/**
 * @param bytes UTF-8 or UTF-16; cells separated by comma, semicolon or tab; the first line names the columns
 *   withdrawal, amount, status (paid or failed), reference, and reason; other columns are ignored. A line `sep=;` before
 *   it names the separator. In a file with semicolons or tabs, amounts may have a decimal comma
 * @param sent the amounts of the batch by withdrawal: what can be read in two ways is read as the one that was sent
 * @returns the answers, or the wrong lines
 */
export function readBankAnswer(
  bytes: Uint8Array,
  sent: Sent = new Map(),
): BankAnswer[] | { faults: LineFault[] } {
  const text = decoded(bytes)
  if (typeof text !== 'string') return { faults: [text] }
  const between = separatorOf(text)
  const rows = splitCsv(text, between)
  if (!Array.isArray(rows)) return { faults: [rows] }
  const [header, ...rest] = rows
  if (!header) return { faults: [{ line: 1, problem: 'The file is empty' }] }
  const names = header.cells.map((cell) => cell.trim().toLowerCase())
  const headerFault = faultOf(names) ?? (rest.length === 0 && 'No line follows the names')
  if (headerFault) return { faults: [{ line: header.line, problem: headerFault }] }
  const answers: BankAnswer[] = []
  const faults: LineFault[] = []
  const seen = new Map<number, number>()
  for (const { line, cells } of rest) {
    if (cells.length !== names.length) {
      const problem = `It has ${cells.length} cells, and the first line has ${names.length}`
      faults.push({ line, problem })
      continue
    }
    // The apostrophe by which a spreadsheet keeps a number as text.
    const bare = cells.map((cell) => cell.trim().replace(/^'(?=\d)/, ''))
    const cell = (name: string) => bare[names.indexOf(name)] ?? ''
    const answer = readRow(line, { cell, between, sent })
    if ('problem' in answer) {
      faults.push(answer)
      continue
    }
    const before = seen.get(answer.withdrawal)
    if (before !== undefined) {
      const problem = `Withdrawal ${answer.withdrawal} is in line ${before} already`
      faults.push({ line, problem })
      continue
    }
    seen.set(answer.withdrawal, line)
    answers.push(answer)
  }
  return faults.length > 0 ? { faults: faults.slice(0, FAULTS_MAX) } : answers
}

type Sent = ReadonlyMap<number, Amount>

function faultOf(names: string[]): string | undefined {
  const twice = [...NEEDED, 'reason'].find(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  )
  if (twice) return `The column ${twice} is there twice`
  const missing = NEEDED.find((name) => !names.includes(name))
  return missing && `There is no column ${missing}`
}

/** `Nov 20`, `20.11.2026`: what a spreadsheet makes of a number with a point. */
const DATE = /^(\d{1,2}[-./ ])?[a-zäéû]{3,9}[-./ ]\d{2,4}$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/i

/** An amount with a decimal point; where commas do not separate cells, also with a decimal comma and points for thousands. */
function amountOf(text: string, between: string, sent: Amount | undefined): Amount | string {
  const european = between !== ',' && /^\d{1,3}(\.\d{3})+(,\d{1,6})?$|^\d+,\d{1,6}$/.test(text)
  if (between !== ',' && /^\d{1,3}[.,]\d{3}$/.test(text)) {
    const readings = ['.', ''].map((mark) => parseAmount(text.replace(/[.,]/, mark), 6))
    const right = readings.find((reading) => reading.ok && reading.amount === sent)
    return right?.ok ? right.amount : TWO_READINGS
  }
  const amount = parseAmount(european ? text.replaceAll('.', '').replace(',', '.') : text, 6)
  if (amount.ok) return amount.amount
  return DATE.test(text) ? IN_TIME : 'amount is not an amount such as 120.00'
}

function readRow(
  line: number,
  { cell, between, sent }: { cell: (name: string) => string; between: string; sent: Sent },
): BankAnswer | LineFault {
  const withdrawal = cell('withdrawal')
  if (!/^\d{1,15}$/.test(withdrawal)) return { line, problem: 'withdrawal is not a number' }
  const amount = amountOf(cell('amount'), between, sent.get(Number(withdrawal)))
  if (typeof amount === 'string') return { line, problem: amount }
  const state = cell('status').toLowerCase()
  if (state !== 'paid' && state !== 'failed') {
    return { line, problem: 'status is neither paid nor failed' }
  }
  const common = { line, withdrawal: Number(withdrawal), amount, state } as const
  if (state === 'failed') {
    const reason = cell('reason').replaceAll('\0', '')
    if (reason === '') return { line, problem: 'It failed, and there is no reason' }
    return { ...common, reference: null, reason: [...reason].slice(0, REASON_MAX).join('') }
  }
  const reference = paymentReference.safeParse(cell('reference'))
  if (!reference.success) {
    const isShortened = reference.error.issues.some(({ message }) => message === 'shortened')
    return { line, problem: isShortened ? SHORTENED : NO_REFERENCE }
  }
  return { ...common, reference: reference.data, reason: null }
}

/** The text, without its byte order mark; or the number of the first line that is not valid text. */
function decoded(bytes: Uint8Array): string | LineFault {
  const wide = { fffe: 'utf-16le', feff: 'utf-16be' } as Record<string, string>
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  const encoding = wide[mark] ?? 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    const problem = 'It is neither UTF-8 nor UTF-16: save the file as CSV in UTF-8'
    return { line: encoding === 'utf-8' ? firstUnreadable(bytes) : 1, problem }
  }
}

/** The first line that is not UTF-8. */
function firstUnreadable(bytes: Uint8Array): number {
  const good = new TextDecoder('utf-8').decode(bytes).split('�')[0] ?? ''
  return good.split('\n').length
}

export type CsvRow = {
  /** The number of its first line, from 1. */
  line: number
  cells: string[]
}

/**
 * Skips empty lines, and a first one that names the separator: spreadsheets write it, and hide it.
 *
 * @returns the rows; or the number of the line with a quoted cell that does not end or has text after its quotes, or of
 * the first line after those of all answers and the names of their columns
 */
function splitCsv(text: string, between: string): CsvRow[] | LineFault {
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
    const namesSeparator = rows.length === 0 && SEPARATOR_LINE.test(row.cells.join(between))
    if (row.cells.some((each) => each.trim() !== '') && !namesSeparator) {
      if (rows.length > ANSWERS_MAX)
        return { line: row.line, problem: `The file has more than ${ANSWERS_MAX} lines` }
      rows.push(row)
    }
    line += 1
    row = { line, cells: [] }
  }
  return rows
}

const SEPARATOR_LINE = /^sep=(.?)$/i

/** What the first line that is not empty names as `sep=;`, or the most frequent one of comma, semicolon and tab in it. */
function separatorOf(text: string): string {
  const [first = ''] = /[^\r\n]+/.exec(text) ?? []
  const named =
    /^sep=([,;\t])$/i.exec(first.trim())?.[1] ?? (/^sep=\t/i.test(first) ? '\t' : undefined)
  if (named) return named
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
