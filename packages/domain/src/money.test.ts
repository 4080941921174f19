import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountFromWire,
  formatAmount,
  formatAmountShort,
  MICRO,
  parseAmount,
  REQUEST_AMOUNT_MAX,
} from './money.ts'

const anyAmount = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })

function fault(input: string | number, decimalsMax?: number): string {
  const parsed = parseAmount(input, decimalsMax)
  return parsed.ok ? `taken as ${parsed.amount}` : parsed.fault
}

describe('an amount in a request', () => {
  it.each<[string | number, bigint]>([
    ['0', 0n],
    ['0.00', 0n],
    [0, 0n],
    [-0, 0n],
    ['1', 1_000_000n],
    [1, 1_000_000n],
    ['0.01', 10_000n],
    [0.01, 10_000n],
    ['0.1', 100_000n],
    ['100.5', 100_500_000n],
    [100.55, 100_550_000n],
    ['100.50', 100_500_000n],
    ['007', 7_000_000n],
    [`${'0'.repeat(40)}7.00`, 7_000_000n],
    [' 12.34\n', 12_340_000n],
    ['999999999.99', 999_999_999_990_000n],
    [999999999.99, 999_999_999_990_000n],
    ['1000000000', REQUEST_AMOUNT_MAX],
    ['1000000000.00', REQUEST_AMOUNT_MAX],
    [1_000_000_000, REQUEST_AMOUNT_MAX],
  ])('is taken: %j', (input, amount) => {
    expect(parseAmount(input)).toEqual({ ok: true, amount })
  })

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.2.3',
    '1,000',
    '1 000',
    '1_000',
    '1,5',
    '+1',
    '--1',
    '- 1',
    '1-',
    '−1',
    '1e3',
    '1E3',
    '1e-2',
    '0x10',
    '0b1',
    '1n',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'true',
    '[1]',
    '١٢',
    '１２',
    '½',
    '1\u00002',
    '1\n2',
    '12abc',
    'u100',
  ])('is not a number: %j', (input) => {
    expect(fault(input)).toBe('not_a_number')
  })

  it.each([Number.NaN, Infinity, -Infinity, 1e21, 1e-7, 5e-324, Number.MAX_VALUE])(
    'is not a number that plain decimals write: %d',
    (input) => {
      expect(fault(input)).toBe('not_a_number')
    },
  )

  it.each(['-1', '-0', '-0.00', '-0.01', '-1.234', '-99999999999999999999', -1, -0.01])(
    'is refused with a minus sign: %j',
    (input) => {
      expect(fault(input)).toBe('negative')
    },
  )

  it.each([
    ...['0.001', '0.009', '1.999', '100.005', `0.${'0'.repeat(60)}1`, 0.001, 0.1 + 0.2],
    // Trailing zeros count as decimals.
    ...['100.000', '1.500', '0.000', `1.5${'0'.repeat(60)}`],
  ])('is refused with more than two decimals, never rounded: %j', (input) => {
    expect(fault(input)).toBe('too_many_decimals')
  })

  it('is accepted as a JSON number, which cannot carry trailing zeros', () => {
    expect(parseAmount(JSON.parse('1.500'))).toEqual({ ok: true, amount: 1_500_000n })
  })

  it.each([
    '1000000000.01',
    '1000000001',
    '10000000000',
    '9'.repeat(15),
    '9'.repeat(16),
    '9'.repeat(400),
    `${'9'.repeat(40)}.99`,
    1_000_000_000.01,
    1_000_000_001,
    1e15,
    Number.MAX_SAFE_INTEGER,
    1e20,
  ])('is refused above 1,000,000,000: %j', (input) => {
    expect(fault(input)).toBe('too_large')
  })

  it('may have as many decimals as the caller allows, from zero to six', () => {
    expect(fault('1.5', 0)).toBe('too_many_decimals')
    expect(fault('1.0', 0)).toBe('too_many_decimals')
    expect(fault('1', 0)).toBe('taken as 1000000')
    expect(fault('0.000001', 6)).toBe('taken as 1')
    expect(fault('0.0000001', 6)).toBe('too_many_decimals')
    expect(fault('0.000001', 5)).toBe('too_many_decimals')
    expect(() => parseAmount('1', 7)).toThrow(RangeError)
    expect(() => parseAmount('1', -1)).toThrow(RangeError)
    expect(() => parseAmount('1', Number.NaN)).toThrow(RangeError)
  })

  it('is read correctly for every whole number of cents, as text and as number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        const fraction = String(cents % 100).padStart(2, '0')
        const text = `${Math.floor(cents / 100)}.${fraction}`
        const amount = BigInt(cents) * 10_000n
        expect(parseAmount(text)).toEqual({ ok: true, amount })
        expect(parseAmount(Number(text))).toEqual({ ok: true, amount })
      }),
    )
  })

  it('is, for any text, either within the bounds and in whole cents, or refused', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+0-9.eE, ]{0,24}$/),
      fc.stringMatching(/^\d{0,12}\.?\d{0,4}$/),
      fc.double().map(String),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseAmount(text)
        if (!parsed.ok) return
        expect(text.trim()).toMatch(/^\d+(\.\d+)?$/)
        expect(parsed.amount % 10_000n).toBe(0n)
        expect(parsed.amount >= 0n && parsed.amount <= REQUEST_AMOUNT_MAX).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('is read quickly even when the text has a million digits', () => {
    const started = performance.now()
    for (const digit of ['0', '9']) {
      fault(digit.repeat(1_000_000))
      fault(`${digit.repeat(1_000_000)}x`)
      fault(`1.${digit.repeat(1_000_000)}`)
      fault(`1.${digit.repeat(1_000_000)}x`)
    }
    // All of them take some milliseconds. A search that begins anew at every digit, 5 * 10^11 steps, takes minutes.
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})

describe('an amount on the wire', () => {
  it.each<[bigint, string]>([
    [0n, '0.00'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [10n, '0.00001'],
    [100n, '0.0001'],
    [1_000n, '0.001'],
    [10_000n, '0.01'],
    [100_000n, '0.10'],
    [1_000_000n, '1.00'],
    [-3_500_000n, '-3.50'],
    [100_000_000n, '100.00'],
    [10_123_456n, '10.123456'],
    [10_123_450n, '10.12345'],
    [10_120_400n, '10.1204'],
    [10_100_000n, '10.10'],
    [-999_999n, '-0.999999'],
    [1_000_000_000n * MICRO, '1000000000.00'],
    [9_223_372_036_854_775_807n, '9223372036854.775807'],
    [-9_223_372_036_854_775_808n, '-9223372036854.775808'],
  ])('%d micro-units are written %s, and read back', (amount, text) => {
    expect(formatAmount(amount)).toBe(text)
    expect(amountFromWire(text)).toBe(amount)
  })

  it('has at least two decimals and no other trailing zeros, for all fractions of one unit', () => {
    for (let micro = 0; micro < 1_000_000; micro++) {
      const text = formatAmount(BigInt(micro))
      if (!/^0\.\d\d(\d{0,3}[1-9])?$/.test(text)) expect.fail(`${micro} was written ${text}`)
      if (amountFromWire(text) !== BigInt(micro)) expect.fail(`${text} was not read back`)
    }
  })

  it('is read back as the same amount', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        expect(amountFromWire(formatAmount(amount))).toBe(amount)
      }),
    )
  })

  it('sorts as its text does in any decimal arithmetic', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const [whole = '', fraction = ''] = formatAmount(amount).replace('-', '').split('.')
        const size = BigInt(whole + fraction.padEnd(6, '0'))
        expect(size).toBe(amount < 0n ? -amount : amount)
      }),
    )
  })

  it.each([
    '',
    '1',
    '1.0',
    '1.',
    '.50',
    '1.0000000',
    '1.100',
    '1.1234560',
    '01.00',
    '-0.00',
    '+1.00',
    '1,00',
    '1e2',
    ' 1.00',
    '1.00\n',
    'NaN',
  ])('is not %j', (text) => {
    expect(() => amountFromWire(text)).toThrow(`'${text}' is not an amount in wire form`)
  })
})

describe('an amount on the screen', () => {
  it.each<[bigint, string]>([
    [0n, '0.00'],
    [1n, '0.00'],
    [9_999n, '0.00'],
    [10_000n, '0.01'],
    [19_999n, '0.01'],
    [999_999n, '0.99'],
    [10_129_999n, '10.12'],
    [99_999_999n, '99.99'],
    [-1n, '0.00'],
    [-9_999n, '0.00'],
    [-10_000n, '-0.01'],
    [-10_001n, '-0.01'],
    [-999_999n, '-0.99'],
    [-3_500_000n, '-3.50'],
    [-3_500_001n, '-3.50'],
    [-3_509_999n, '-3.50'],
  ])('%d micro-units are shown as %s', (amount, text) => {
    expect(formatAmountShort(amount)).toBe(text)
  })

  it('is cut toward zero, for gains and losses, by less than a cent', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        const text = formatAmountShort(amount)
        expect(text).toMatch(/^-?\d+\.\d\d$/)
        expect(text).not.toBe('-0.00')
        const shown = amountFromWire(text)
        const cut = amount < 0n ? shown - amount : amount - shown
        expect(cut >= 0n && cut < 10_000n).toBe(true)
      }),
    )
  })
})
