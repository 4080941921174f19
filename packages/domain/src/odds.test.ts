import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTCOME_TABLE, startOdds } from '../testing/outcome-table.ts'
import {
  formatOdds,
  formatShare,
  oddsAreAllowed,
  parseOdds,
  RETURN_MAX_PPM,
  RETURN_MIN_PPM,
  returnPpm,
} from './odds.ts'

const ROOM_TYPES = [0, 1, 2, 3] as const

describe('the odds that a room starts with', () => {
  it.each(ROOM_TYPES)(
    'return no more than promised for type %d, and less only by what is cut from the odds',
    (type) => {
      const promised = [960_000, 965_000, 970_000, 975_000][type] ?? 0
      for (const [index, { oddsMilli }] of startOdds(type).entries()) {
        const ways = OUTCOME_TABLE[index]?.ways ?? 0
        const ppm = returnPpm({ oddsMilli, ways })
        expect(ppm).toBeLessThanOrEqual(promised)
        expect(promised - ppm).toBeLessThan(ways)
        expect(oddsAreAllowed({ oddsMilli, ways })).toBe(true)
      }
    },
  )
})

describe('a change of odds', () => {
  it('may be saved from a return of 0.75 to one of 1, both included, for every outcome', () => {
    for (const { ways } of OUTCOME_TABLE) {
      const least = Math.ceil(750_000 / ways)
      const most = Math.floor(1_000_000 / ways)
      expect(oddsAreAllowed({ oddsMilli: least, ways })).toBe(true)
      expect(oddsAreAllowed({ oddsMilli: most, ways })).toBe(true)
      expect(oddsAreAllowed({ oddsMilli: least - 1, ways })).toBe(false)
      expect(oddsAreAllowed({ oddsMilli: most + 1, ways })).toBe(false)
    }
    expect([RETURN_MIN_PPM, RETURN_MAX_PPM]).toEqual([750_000, 1_000_000])
  })

  it('may be saved exactly on the bounds', () => {
    expect(oddsAreAllowed({ oddsMilli: 1500, ways: 500 })).toBe(true)
    expect(oddsAreAllowed({ oddsMilli: 2000, ways: 500 })).toBe(true)
    expect(oddsAreAllowed({ oddsMilli: 1499, ways: 500 })).toBe(false)
    expect(oddsAreAllowed({ oddsMilli: 2001, ways: 500 })).toBe(false)
  })

  it.each([0, -1920, 1920.5, Number.NaN, Infinity])('is refused at %d thousandths', (oddsMilli) => {
    expect(oddsAreAllowed({ oddsMilli, ways: 500 })).toBe(false)
  })
})

describe('odds that a person types', () => {
  it('are read as written, whatever they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (oddsMilli) => {
        expect(parseOdds(formatOdds(oddsMilli))).toBe(oddsMilli)
      }),
    )
    expect(parseOdds(' 1.920 ')).toBe(1_920)
  })

  it.each(['', '1.', '.5', '-1', '1.9999', '1e3', '1,9', '1 9', '1234567', 'NaN', '１'])(
    'are none when they are %j',
    (text) => {
      expect(parseOdds(text)).toBeNull()
    },
  )
})

describe('odds as text', () => {
  it.each([
    [1920, '1.92'],
    [2000, '2'],
    [1001, '1.001'],
    [1010, '1.01'],
    [1100, '1.1'],
    [960_000, '960'],
    [45_714, '45.714'],
    [500, '0.5'],
    [5, '0.005'],
    [0, '0'],
  ])('%d thousandths are %s', (oddsMilli, text) => {
    expect(formatOdds(oddsMilli)).toBe(text)
  })

  it('is read back as the same thousandths, without trailing zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (oddsMilli) => {
        const [whole = '', fraction = ''] = formatOdds(oddsMilli).split('.')
        expect(Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))).toBe(oddsMilli)
        expect(fraction.endsWith('0')).toBe(false)
      }),
    )
  })
})

describe('a chance or return as text', () => {
  it.each([
    [500_000, '0.5000'],
    [1_000, '0.0010'],
    [75_000, '0.0750'],
    [960_000, '0.9600'],
    [959_970, '0.9599'],
    [959_999, '0.9599'],
    [1_000_000, '1.0000'],
    [99, '0.0000'],
    [0, '0.0000'],
  ])('%d millionths are %s, cut and never rounded up', (ppm, text) => {
    expect(formatShare(ppm)).toBe(text)
  })
})
