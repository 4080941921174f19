import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '#testing/parse-csv.ts'
import { csvLine } from './csv.ts'

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=cmd|calc', "'=cmd|calc"],
    ['+1 long', "'+1 long"],
    ['-1-1', "'-1-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t=1"],
    ['-3.50', '-3.50'],
    ['+7', '+7'],
    ['-', "'-"],
    ['-3.', "'-3."],
    ['1=1', '1=1'],
    ['', ''],
    ['Long, 13', '"Long, 13"'],
    ['say "so"', '"say ""so"""'],
    ['\r=1', '"\'\r=1"'],
    ['two\nlines', '"two\nlines"'],
  ])('writes %j as %j', (cell, written) => {
    expect(csvLine([cell, 'x'])).toBe(`${written},x\r\n`)
  })

  it('is read back as it was, but for the apostrophes, whatever its cells hold', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;a1. ＝'), maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1 }),
        (rows) => {
          const read = parseCsv(rows.map(csvLine).join(''))
          expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length))
          for (const [at, row] of rows.entries()) {
            for (const [column, cell] of row.entries()) {
              const got = read[at]?.[column] ?? ''
              expect([cell, `'${cell}`]).toContain(got)
              if (/^[=+\-@\t\r\n＝]/.test(got)) expect(got).toMatch(/^[+-]\d+(\.\d+)?$/)
            }
          }
        },
      ),
    )
  })
})
