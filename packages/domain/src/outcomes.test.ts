import { describe, expect, it } from 'vitest'
import { NAMED_ROWS, OUTCOME_TABLE, SUM_ROWS } from '../testing/outcome-table.ts'
import { labelsOfSum, NAMED_OUTCOMES, sumOfDigits } from './digits.ts'
import {
  namedOutcomeHits,
  RULES,
  ruleById,
  SUM_RULE_BASE,
  SUMS,
  waysOfAny,
  waysOfSum,
  winningRuleIds,
} from './outcomes.ts'

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const DRAWS = DIGITS.flatMap((a) => DIGITS.flatMap((b) => DIGITS.map((c) => [a, b, c] as const)))

describe('the 36 selections', () => {
  it('match the table: order, ids, words and ways', () => {
    expect(RULES.map(({ id, outcome, ways }) => ({ id, outcome, ways }))).toEqual(
      OUTCOME_TABLE.map(({ id, outcome, ways }) => ({ id, outcome, ways })),
    )
    expect(RULES).toHaveLength(36)
    expect(NAMED_OUTCOMES).toEqual(NAMED_ROWS.map((row) => row.outcome))
    expect(SUMS.map((sum) => SUM_RULE_BASE + sum)).toEqual(SUM_ROWS.map((row) => row.id))
  })

  it('are hit by exactly the draws that the table lists: 1,000 draws × 36 selections', () => {
    expect(DRAWS).toHaveLength(1000)
    let compared = 0
    const hits = new Map<number, number>()
    for (const [first, second, third] of DRAWS) {
      const sum = first + second + third
      const winning = winningRuleIds(sum)
      for (const row of OUTCOME_TABLE) {
        const hit = winning.includes(row.id)
        if (hit !== row.sums.includes(sum))
          expect.fail(`${row.outcome} at ${first}${second}${third}: ${hit}`)
        if (hit) hits.set(row.id, (hits.get(row.id) ?? 0) + 1)
        compared++
      }
    }
    expect(compared).toBe(36_000)
    for (const row of OUTCOME_TABLE)
      expect([row.outcome, hits.get(row.id)]).toEqual([row.outcome, row.ways])
  })

  it('are found by their id, and no other number finds one', () => {
    for (const row of OUTCOME_TABLE) expect(ruleById(row.id)?.outcome).toBe(row.outcome)
    const ids = new Set(OUTCOME_TABLE.map((row) => row.id))
    for (let id = -1000; id <= 10_000; id++) {
      if (!ids.has(id) && ruleById(id) !== undefined) expect.fail(`there is a rule ${id}`)
    }
    for (const id of [1.5, Number.NaN, Infinity, -0]) expect(ruleById(id)).toBeUndefined()
  })
})

describe('a sum', () => {
  it.each(SUM_ROWS)('of $outcome comes from $ways draws', (row) => {
    expect(waysOfSum(Number(row.outcome))).toBe(row.ways)
  })

  it('outside 0–27 comes from no draw', () => {
    expect([-1, 28, 100].map(waysOfSum)).toEqual([0, 0, 0])
  })

  it('has one size, one parity and one joint outcome, as in the table', () => {
    for (const sum of SUMS) {
      const { base, join } = labelsOfSum(sum)
      const hit = NAMED_ROWS.filter((row) => row.sums.includes(sum)).map((row) => row.outcome)
      expect([...base, join]).toEqual(hit)
      expect(winningRuleIds(sum)).toEqual([
        ...NAMED_ROWS.filter((row) => row.sums.includes(sum)).map((row) => row.id),
        400 + sum,
      ])
      for (const outcome of NAMED_OUTCOMES)
        expect(namedOutcomeHits(outcome, sum)).toBe(hit.includes(outcome))
    }
  })
})

describe('the ways of a choice', () => {
  it('count each draw once, however many of the rules it hits', () => {
    expect(waysOfAny([])).toBe(0)
    expect(waysOfAny([1])).toBe(500)
    expect(waysOfAny([1, 2])).toBe(1_000)
    expect(waysOfAny([1, 11, 427])).toBe(500)
    expect(waysOfAny([1, 13, 400])).toBe(500 + 269 + 1)
  })
})

describe('the table itself', () => {
  it('adds up: each pair, each group of four, and all sums cover the 1,000 draws exactly once', () => {
    const ways = (...ids: number[]) =>
      OUTCOME_TABLE.filter((row) => ids.includes(row.id)).reduce((all, row) => all + row.ways, 0)
    expect(ways(1, 2)).toBe(1000)
    expect(ways(3, 4)).toBe(1000)
    expect(ways(11, 12, 13, 14)).toBe(1000)
    expect(SUM_ROWS.reduce((all, row) => all + row.ways, 0)).toBe(1000)
    for (const row of NAMED_ROWS) expect(ways(...row.sums.map((sum) => 400 + sum))).toBe(row.ways)
  })
})

it('the sum of a draw is that of its three digits', () => {
  expect(sumOfDigits([9, 5, 2])).toBe(16)
  expect(sumOfDigits([0, 0, 0])).toBe(0)
  expect(sumOfDigits([9, 9, 9])).toBe(27)
})
