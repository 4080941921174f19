import { describe, expect, it } from 'vitest'
import { chiSquareTail, fitTest, holmAdjusted, independenceTest } from './chi-square.ts'

describe('the tail of chi-square', () => {
  // Critical values from printed tables, to three decimals.
  it.each([
    [9, 16.919, 0.05],
    [9, 21.666, 0.01],
    [9, 27.877, 0.001],
    [27, 40.113, 0.05],
    [27, 46.963, 0.01],
    [1, 3.841, 0.05],
    [100, 124.342, 0.05],
    [100, 77.929, 0.95],
  ])('of %d degrees of freedom beyond %f is %f', (freedom, statistic, p) => {
    expect(chiSquareTail(statistic, freedom)).toBeCloseTo(p, 4)
  })

  // Computed to full precision with the incomplete gamma function of another program.
  it.each([
    [9, 2.5, 0.9808834914028134],
    [9, 60, 1.3406780483959613e-9],
    [27, 27, 0.46379481562055824],
    [27, 80, 3.776402398707681e-7],
    [81, 50, 0.9973450472860701],
    [81, 122.5, 0.002002761868089962],
    [81, 200, 4.732682589050121e-12],
    [999, 900, 0.9886211870834188],
    [999, 1000, 0.48513148927490146],
    [999, 1200, 1.1129350448258867e-5],
    [999, 1500, 8.513135655491612e-23],
  ])('agrees to ten digits with df %d, %f: %f', (freedom, statistic, p) => {
    expect(Math.abs(chiSquareTail(statistic, freedom) / p - 1)).toBeLessThan(1e-10)
  })

  it('for an even number of degrees of freedom equals the known sum', () => {
    for (const freedom of [2, 10, 28, 80, 998]) {
      for (const ratio of [0.7, 1, 1.3]) {
        const half = (freedom * ratio) / 2
        let term = Math.exp(-half)
        let sum = term
        for (let k = 1; k < freedom / 2; k++) {
          term *= half / k
          sum += term
        }
        expect(Math.abs(chiSquareTail(2 * half, freedom) / sum - 1)).toBeLessThan(1e-10)
      }
    }
  })

  it('is 1 at 0 and 0 at infinity, and refuses anything that is not a number', () => {
    expect(chiSquareTail(0, 9)).toBe(1)
    expect(chiSquareTail(Number.POSITIVE_INFINITY, 9)).toBe(0)
    expect(() => chiSquareTail(Number.NaN, 9)).toThrow(RangeError)
    expect(() => chiSquareTail(1, 0)).toThrow(RangeError)
  })
})

describe('the tests', () => {
  it('of fit: 60 throws of a die, as computed by hand', () => {
    const fit = fitTest([5, 8, 9, 8, 10, 20], new Array(6).fill(1 / 6))
    expect(fit.statistic).toBeCloseTo(13.4, 10)
    expect(fit.freedom).toBe(5)
    expect(fit.p).toBeCloseTo(0.0199, 4)
  })

  it('of independence: a table of two by two, as computed by hand', () => {
    const table = independenceTest([10, 20, 30, 40], 2)
    expect(table.statistic).toBeCloseTo(0.79365, 5)
    expect(table.freedom).toBe(1)
    expect(independenceTest([10, 20, 20, 40], 2).statistic).toBeCloseTo(0, 10)
  })

  it('of independence fails when a value never occurs', () => {
    expect(independenceTest([10, 0, 30, 0], 2).p).toBe(0)
    expect(() => independenceTest([1, 2, 3], 2)).toThrow(RangeError)
  })
})

describe('p-values of many tests', () => {
  it('adjusts as Holm does, and keeps the order of its input', () => {
    const adjusted = holmAdjusted([0.01, 0.04, 0.03, 0.005])
    for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(p, 12)
  })

  it('never exceeds 1, and leaves a single test unchanged', () => {
    expect(holmAdjusted([0.6, 0.9])).toEqual([1, 1])
    expect(holmAdjusted([0.2])).toEqual([0.2])
    expect(holmAdjusted([])).toEqual([])
  })
})
