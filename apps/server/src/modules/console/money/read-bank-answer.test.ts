import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '#src/formats/csv.ts'
import { ANSWERS_MAX, readBankAnswer } from './read-bank-answer.ts'

const HEADER = 'withdrawal,amount,status,reference,reason'
const PAID = { line: 2, withdrawal: 7, amount: 120_000_000n, state: 'paid', reference: 'OUT 1' }
/** The answers, or the first fault. */
function read(file: string | Uint8Array) {
  const result = readBankAnswer(typeof file === 'string' ? Buffer.from(file) : file)
  return 'faults' in result ? result.faults[0] : result
}

describe('the bank’s answer is read', () => {
  it.each([
    ['as it is', `${HEADER}\n7,120.00,paid,OUT 1,\n`],
    ['with a byte order mark', `\uFEFF${HEADER}\n7,120.00,paid,OUT 1,`],
    ['with lines that end in CRLF', `${HEADER}\r\n7,120.00,paid,OUT 1,\r\n`],
    ['with lines that end in CR', `${HEADER}\r7,120.00,paid,OUT 1,\r`],
    ['with quotes', `"${HEADER.replaceAll(',', '","')}"\n"7","120","PAID","OUT 1",""`],
    ['with semicolons', `${HEADER.replaceAll(',', ';')}\n7;120.0;paid;OUT 1;\n`],
    ['with a decimal comma', `${HEADER.replaceAll(',', ';')}\n7;120,00;paid;OUT 1;\n`],
    ['with tabs', `${HEADER.replaceAll(',', '\t')}\n7\t120.0\tpaid\tOUT 1\t\n`],
    ['with other columns', 'Status,x,Reference,amount,withdrawal\npaid,?,OUT 1,120,7\n'],
    ['with empty lines at its end', `${HEADER}\n7,120.00,paid,OUT 1,\n\n,,,,\n`],
    ['with numbers that a spreadsheet keeps as text', `${HEADER}\n'7,'120.00,paid,OUT 1,\n`],
    ['with full-width letters', `${HEADER}\n7,120.00,paid,ＯＵＴ １,\n`],
  ])('%s', (_name, text) => {
    expect(read(text)).toEqual([expect.objectContaining({ ...PAID, reason: null })])
  })

  it('in UTF-16, as spreadsheets write it', () => {
    const text = `\uFEFF${HEADER}\n7,120.00,paid,OUT 1,\n`
    const little = Buffer.from(text, 'utf16le')
    expect(readBankAnswer(little)).toEqual([expect.objectContaining(PAID)])
    expect(readBankAnswer(Buffer.from(little).swap16())).toEqual([expect.objectContaining(PAID)])
  })

  it('with a reason that has quotes, commas and ends of lines, and counts lines past it', () => {
    const text = `${HEADER}\n7,1,failed,,"no ""such"", \r\naccount"\n8,x,paid,A,\n`
    expect(read(text)).toEqual({ line: 4, problem: 'amount is not an amount such as 120.00' })
    expect(read(text.replace('8,x,paid,A,', ''))).toMatchObject([
      { withdrawal: 7, state: 'failed', reason: 'no "such", \r\naccount' },
    ])
  })
})

it('a first line that names the separator is no line of answers', () => {
  const european = HEADER.replaceAll(',', ';')
  expect(read(`sep=;\n${european}\n7;120,0;paid;OUT 1;\n`)).toEqual([
    { ...PAID, line: 3, reason: null },
  ])
  expect(read(`\nsep=;\n${european}\n7;120,0;paid;OUT 1;\n`)).toEqual([
    { ...PAID, line: 4, reason: null },
  ])
})

it('all wrong lines are reported at once, and thousands with points are read', () => {
  const european = HEADER.replaceAll(',', ';')
  const bytes = Buffer.from(
    `${european}\n7;x;paid;A1B2;\n8;1.234.567,89;done;A1B3;\n9;1.234,5;paid;A1B4;`,
  )
  expect(readBankAnswer(bytes)).toEqual({
    faults: [
      { line: 2, problem: 'amount is not an amount such as 120.00' },
      { line: 3, problem: 'status is neither paid nor failed' },
    ],
  })
  expect(read(`${european}\n8;1.234.567,89;paid;A1B3;`)).toMatchObject([
    { amount: 1_234_567_890_000n },
  ])
})

describe('the line and the reason are reported', () => {
  it.each([
    ['of an empty file', '', 1, 'The file is empty'],
    ['without a line of answers', HEADER, 1, 'No line follows the names'],
    ['without a column', 'withdrawal,amount,status\n7,1,paid', 1, 'no column reference'],
    ['with a column twice', `amount,${HEADER}\n`, 1, 'The column amount is there twice'],
  ])('%s', (_name, text, line, words) => {
    expect(read(text)).toEqual({ line, problem: expect.stringContaining(words) })
  })

  it.each([
    ['with a cell too few', '7,1,paid', 'It has 3 cells, and the first line has 5'],
    ['with quotes that have no end', '7,1,"paid,A,', 'A quoted cell has no end'],
    ['with more after the quotes', '"7"8,1,paid,A,', 'Something follows the quotes'],
    ['of a number that is none', '=7,1,paid,ABCD,', 'withdrawal is not a number'],
    ['of an amount that is negative', '7,-1,paid,ABCD,', 'amount is not an amount'],
    ['of an amount as a country writes it', '7,"1.200,00",paid,ABCD,', 'amount is not an amount'],
    ['of an amount that became a date', '7,Nov-20,paid,ABCD,', 'amount is a date'],
    ['of another status', '7,1,done,ABCD,', 'status is neither paid nor failed'],
    ['without a reference', '7,1,paid,,', 'reference is not four or more'],
    ['with a shortened reference', '7,1,paid,2.02611E+15,', 'reference is a number that'],
    ['with one of a decimal comma', '7,1,paid,"2,02611E+15",', 'reference is a number that'],
    ['with one of a single digit', '7,1,paid,2E+15,', 'reference is a number that'],
    ['with one of many digits', '7,1,paid,2.02611222233334e15,', 'reference is a number that'],
    ['without a reason', '7,1,failed,,', 'It failed, and there is no reason'],
  ])('%s', (_name, answer, words) => {
    expect(read(`${HEADER}\n${answer}`)).toEqual({
      line: 2,
      problem: expect.stringContaining(words),
    })
  })

  it('of an amount that could be a thousand or parts of one', () => {
    expect(read(`${HEADER.replaceAll(',', ';')}\n7;1.200;paid;ABCD;`)).toEqual({
      line: 2,
      problem: expect.stringContaining('can be read in two ways'),
    })
  })

  it('unless one of both is the amount in the batch', () => {
    const european = HEADER.replaceAll(',', ';')
    const lines = [
      '7;1.200;paid;ABCD;',
      '8;12,125;paid;ABCE;',
      '9;12.125;paid;ABCF;',
      '10;1,200;paid;ABCG;',
    ]
    const sent = new Map(
      [1_200_000_000n, 12_125_000n, 12_125_000n, 1n].map((of, at) => [at + 7, of]),
    )
    const answered = (count: number) =>
      readBankAnswer(Buffer.from([european, ...lines.slice(0, count)].join('\n')), sent)
    expect(answered(3)).toMatchObject([...sent.values()].slice(0, 3).map((amount) => ({ amount })))
    expect(answered(4)).toEqual({
      faults: [{ line: 5, problem: expect.stringContaining('can be read in two ways') }],
    })
  })

  it('with a withdrawal twice', () => {
    expect(read(`${HEADER}\n7,1,paid,ABCD,\n\n007,1,paid,EFGH,`)).toEqual({
      line: 4,
      problem: 'Withdrawal 7 is in line 2 already',
    })
  })

  it('of another encoding', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}\n7,1,failed,,Stra`),
      Buffer.from([0xdf, 0x65]),
    ])
    expect(read(bytes)).toEqual({
      line: 2,
      problem: 'It is neither UTF-8 nor UTF-16: save the file as CSV in UTF-8',
    })
  })

  it('of a file that has more lines than a batch, and of ten megabytes without one', () => {
    const many = `${HEADER}\n${Array.from({ length: ANSWERS_MAX + 1 }, (_, at) => `${at},1,paid,R${at}00,`).join('\n')}`
    expect(read(many)).toMatchObject({ line: ANSWERS_MAX + 2 })
    expect(read('x'.repeat(10_000_000))).toMatchObject({ line: 1 })
    expect(read('"'.repeat(10_000_001))).toMatchObject({ line: 1 })
  })
})

it('our own files can be read again, and no file throws', () => {
  const cell = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 20 }), (reasons) => {
      const lines = reasons.map((reason, at) =>
        csvLine([String(at + 1), '1.00', 'failed', '', `r ${reason}`]),
      )
      const answers = read(csvLine(HEADER.split(',')) + lines.join(''))
      expect(answers).toHaveLength(reasons.length)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(readBankAnswer(bytes)).toHaveProperty('faults')
    }),
  )
})
