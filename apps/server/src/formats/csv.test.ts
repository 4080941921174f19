import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { csvFormOf, csvLine } from './csv.ts'

/**
 * The cells that a spreadsheet reads which splits by another character: to a cell in quotation marks it adds what follows
 * them.
 */
function cellsBetween(separator: string, text: string): string[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\r\n]*)`, 'g')
  return [...text.matchAll(cell)].map(([, quoted = '', rest = '']) => quoted + rest)
}

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 long', "'+1 long"],
    ['-1-1', "'-1-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['\t=1', `"'\t'=1"`],
    ['Ann;=1+1', `"Ann;'=1+1"`],
    ['Ann,=1+1', `"Ann,'=1+1"`],
    ['x";" =1+1;y', `"x"";"" '=1+1;y"`],
    ['Ann\r\n＝1', `"Ann\r\n'＝1"`],
    [' =1+1', " '=1+1"],
    ['Ann; Bob', '"Ann; Bob"'],
    ['-3.50', '-3.50'],
    ['-', "'-"],
    ['-3.', "'-3."],
    ['1=1', '1=1'],
    ['', ''],
    ['Long, 13', '"Long, 13"'],
    ['say "so"', '"say ""so"""'],
    ['202611260012', "'202611260012"],
    ['0012345', "'0012345"],
    ['0.50', '0.50'],
    ['2.02611e+15', "'2.02611e+15"],
    ['3-4', "'3-4"],
    ['1/2/2026', "'1/2/2026"],
    ['2026-11-26', '2026-11-26'],
    ['1.92 2.5', '1.92 2.5'],
  ])('writes %j as %j', (cell, written) => {
    expect(csvLine([cell, 'x'])).toBe(`${written},x\r\n`)
  })

  it.each([
    ['en', '1.50,-3.5,"a, b",1.92 2.5\r\n'],
    ['ja', '1.50,-3.5,"a, b",1.92 2.5\r\n'],
    ['vi', '"1,50";"-3,5";"a, b";"1,92 2,5"\r\n'],
    ['id', '"1,50";"-3,5";"a, b";"1,92 2,5"\r\n'],
  ] as const)('has separator and decimals of spreadsheets in the language %s', (lang, line) => {
    expect(csvLine(['1.50', '-3.5', 'a, b', '1.92 2.5'], csvFormOf(lang))).toBe(line)
  })

  it('is read back as it was, but for apostrophes, and has no formula however it is split', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;|a1. ＝'), maxLength: 8 })
    const bare = (text: string) => text.replaceAll("'", '')
    const number = /^[+-]\d+([.,]\d+)?([,;]|$)/
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1 }),
        fc.constantFrom(csvFormOf('en'), csvFormOf('vi')),
        (rows, form) => {
          const text = rows.map((row) => csvLine(row, form)).join('')
          const read = parseCsv(text, form.between)
          const inForm = (each: string) => bare(each).replaceAll('.', form.decimal)
          expect(read.map((row) => row.map(inForm))).toEqual(rows.map((row) => row.map(inForm)))
          const parts = read.flat().flatMap((each) => [each, ...each.split(/[,;|\t\r\n]/)])
          const split = [',', ';', '|', '\t'].flatMap((by) => cellsBetween(by, text))
          for (const each of [...parts, ...split])
            if (/^ *[=+\-@＝]/.test(each)) expect(each).toMatch(number)
        },
      ),
    )
  })
})
