import { RULES } from '@sum28/domain/outcomes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#testing/models/seeded-random.ts'
import { purse, robotName } from './keep-robots.ts'
import { chooseBet, MINIMUMS_MAX, planRound } from './plan-round.ts'

const U = 1_000_000n
const random = seededRandom('robots')
const allRules = new Set(RULES.map(({ id }) => id))

describe('what a robot bets', () => {
  it('keeps to any room’s limits, in whole cents, on different existing rules', () => {
    const amount = fc.bigInt({ min: 1n, max: 2_000n * U })
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 0n, max: 5_000n * U }), (stakeMin, more) => {
        const stakeMax = stakeMin + more
        const chosen = chooseBet({ stakeMin, stakeMax }, random)
        if (!chosen) return more < 10_000n
        const { ruleIds, stake } = chosen
        const total = stake * BigInt(ruleIds.length)
        return (
          stake > 0n &&
          stake % 10_000n === 0n &&
          total >= stakeMin &&
          total <= stakeMax &&
          new Set(ruleIds).size === ruleIds.length &&
          ruleIds.every((id) => allRules.has(id))
        )
      }),
      { numRuns: 500 },
    )
  })

  it('is spread over all selections, and over stakes', () => {
    const rules = new Set<number>()
    const totals = new Set<bigint>()
    for (let repeat = 0; repeat < 4_000; repeat += 1) {
      const chosen = chooseBet({ stakeMin: 100n * U, stakeMax: 1_000_000n * U }, random)
      for (const id of chosen?.ruleIds ?? []) rules.add(id)
      totals.add((chosen?.stake ?? 0n) * BigInt(chosen?.ruleIds.length ?? 0))
    }
    expect(rules).toEqual(allRules)
    expect(totals.size).toBeGreaterThan(5)
  })

  it('is never more than its balance is filled up for', () => {
    for (const [stakeMin, entryMin] of [
      [100n * U, 100n * U],
      [200n * U, 1_000n * U],
      [500n * U, 5_000n * U],
      [1_000n * U, 20_000n * U],
    ] as const) {
      const { floor, target } = purse({ stakeMin, entryMin })
      expect(floor).toBeGreaterThanOrEqual(entryMin)
      expect(floor).toBeGreaterThanOrEqual(2n * MINIMUMS_MAX * stakeMin)
      expect(target).toBeGreaterThan(floor)
    }
    expect(purse(undefined)).toEqual({ floor: 0n, target: 0n })
  })
})

describe('when robots bet', () => {
  it('is within the betting time, in order, twice at most for each robot, whatever the round', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000_000 }),
        fc.integer({ min: 1, max: 3_600_000 }),
        fc.integer({ min: 0, max: 50 }),
        (opensAt, length, count) => {
          const sealsAt = opensAt + length
          const robots = Array.from({ length: count }, (_, index) => ({
            playerId: index,
            roomId: 11,
            seat: index + 1,
          }))
          const plan = planRound({ opensAt, sealsAt }, robots, random)
          const moments = plan.map(({ at }) => at)
          const keys = plan.map(({ playerId, number }) => `${playerId} ${number}`)
          expect(moments.every((at) => at >= opensAt && at < sealsAt)).toBe(true)
          expect(moments).toEqual(moments.toSorted((a, b) => a - b))
          expect(new Set(keys).size).toBe(keys.length)
          expect(plan.every(({ number }) => number >= 1 && number <= 2)).toBe(true)
        },
      ),
    )
  })

  it('is spread over all of it: each tenth has its share', () => {
    const robots = Array.from({ length: 4_000 }, (_, playerId) => ({
      playerId,
      roomId: 11,
      seat: 1,
    }))
    const plan = planRound({ opensAt: 0, sealsAt: 180_000 }, robots, random)
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      plan.filter(({ at }) => Math.floor(at / 18_000) === tenth),
    )
    for (const bets of tenths) {
      expect(bets.length).toBeGreaterThan(plan.length / 20)
      expect(bets.length).toBeLessThan(plan.length / 5)
    }
  })
})

it('a robot’s name looks like a person’s, and is mostly different', () => {
  const names = Array.from({ length: 500 }, () => robotName(random))
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{3,20}$/)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBeGreaterThan(450)
})
