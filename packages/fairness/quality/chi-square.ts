/** The result of a chi-square test: how far counts are from what chance would give. */
export interface ChiSquare {
  readonly statistic: number
  /** Degrees of freedom. */
  readonly freedom: number
  /** The chance of a statistic at least this large if the draws are uniform; from 0 to 1. */
  readonly p: number
}

/**
 * Pearson's goodness of fit: counts against known probabilities.
 * @param chances the probability of each cell, above 0; they add up to 1
 */
export function fitTest(counts: ArrayLike<number>, chances: ArrayLike<number>): ChiSquare {
  if (counts.length !== chances.length) throw new RangeError('a chance for every count')
  let total = 0
  for (let i = 0; i < counts.length; i++) total += at(counts, i)
  let statistic = 0
  for (let i = 0; i < counts.length; i++) {
    const expected = total * at(chances, i)
    statistic += (at(counts, i) - expected) ** 2 / expected
  }
  return chiSquare(statistic, counts.length - 1)
}

/**
 * Pearson's test that row and column of a table are independent,
 * with (rows − 1)(columns − 1) degrees of freedom.
 * @param counts row after row; no row and no column may be empty
 */
export function independenceTest(counts: ArrayLike<number>, columns: number): ChiSquare {
  const rows = counts.length / columns
  if (!Number.isInteger(rows)) throw new RangeError('the table has an unfinished row')
  const rowSums = new Float64Array(rows)
  const columnSums = new Float64Array(columns)
  let total = 0
  for (let i = 0; i < counts.length; i++) {
    const count = at(counts, i)
    const row = Math.floor(i / columns)
    rowSums[row] = at(rowSums, row) + count
    columnSums[i % columns] = at(columnSums, i % columns) + count
    total += count
  }
  let statistic = 0
  for (let i = 0; i < counts.length; i++) {
    const expected = (at(rowSums, Math.floor(i / columns)) * at(columnSums, i % columns)) / total
    // An empty row or column means that a value never occurs, which chance does not explain.
    if (expected === 0) return chiSquare(Number.POSITIVE_INFINITY, (rows - 1) * (columns - 1))
    statistic += (at(counts, i) - expected) ** 2 / expected
  }
  return chiSquare(statistic, (rows - 1) * (columns - 1))
}

function chiSquare(statistic: number, freedom: number): ChiSquare {
  return { statistic, freedom, p: chiSquareTail(statistic, freedom) }
}

/**
 * The chance that a chi-square value with so many degrees of freedom is `statistic` or more:
 * Q(freedom / 2, statistic / 2), the regularised upper incomplete gamma function.
 * Relative error below 1e-10 wherever the result is above 1e-300.
 */
export function chiSquareTail(statistic: number, freedom: number): number {
  if (!(statistic >= 0) || !(freedom > 0)) throw new RangeError('no chi-square value')
  if (statistic === Number.POSITIVE_INFINITY) return 0
  const a = freedom / 2
  const x = statistic / 2
  if (x === 0) return 1
  // Each form converges fast on its side of the mode (Abramowitz & Stegun 6.5.29 and 6.5.31).
  return x < a + 1 ? 1 - lowerSeries(a, x) : upperFraction(a, x)
}

const PRECISION = 1e-15
const TERMS_MAX = 100_000

function lowerSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < TERMS_MAX; n++) {
    term *= x / (a + n)
    sum += term
    if (term < sum * PRECISION) return sum * density(a, x)
  }
  throw new RangeError('the series did not converge')
}

// The continued fraction by Lentz's method; its denominators are never 0 when x ≥ a + 1.
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = Number.POSITIVE_INFINITY
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < TERMS_MAX; n++) {
    const numerator = -n * (n - a)
    b += 2
    d = 1 / (numerator * d + b)
    c = b + numerator / c
    const factor = c * d
    fraction *= factor
    if (Math.abs(factor - 1) < PRECISION) return fraction * density(a, x)
  }
  throw new RangeError('the continued fraction did not converge')
}

/** xᵃ e⁻ˣ / Γ(a), computed by logarithms because each part alone overflows. */
function density(a: number, x: number): number {
  return Math.exp(a * Math.log(x) - x - logGamma(a))
}

/** ln Γ(a) for a > 0: Stirling's series (Abramowitz & Stegun 6.1.41), with a raised to where it is exact. */
function logGamma(a: number): number {
  let shift = 0
  let z = a
  for (; z < 15; z++) shift += Math.log(z)
  const inverse = 1 / (z * z)
  const series =
    1 / 12 -
    inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - (inverse * 1) / 1188)))
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series / z - shift
}

function at(numbers: ArrayLike<number>, index: number): number {
  const value = numbers[index]
  if (value === undefined) throw new RangeError(`no cell ${index}`)
  return value
}

/**
 * Holm's correction: makes the p-values of many tests comparable with one level.
 * Source: S. Holm, A simple sequentially rejective multiple test procedure (1979).
 * @param pValues from 0 to 1
 * @returns the adjusted p-values in the same order. When those below a level are rejected, the
 * chance of rejecting anything wrongly is at most that level
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const adjusted = new Array<number>(pValues.length)
  let least = 0
  for (const [rank, { p, index }] of ascending.entries()) {
    least = Math.max(least, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = least
  }
  return adjusted
}
