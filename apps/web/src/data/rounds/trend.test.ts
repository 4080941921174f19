import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pastRoundFromWire } from '#src/data/rounds/past-round.ts'
import { rowBlocks, trendOfRounds } from '#src/data/rounds/use-rounds.ts'
import { type RawRound, rawRounds, wireResult } from '#src/testing/drawn-rounds.ts'

// The table's figures are proved in packages/domain.
const tableOf = (rounds: readonly RawRound[]) =>
  trendOfRounds(rounds.map((round) => pastRoundFromWire(wireResult(round))).reverse())

describe('the trend table', () => {
  it('has a row for each round, with the sum of its digits; none for a voided one', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const { rows, drawn } = tableOf(rounds)
        const sums = rounds.map(({ digits }) => digits?.reduce((sum, digit) => sum + digit, 0))
        expect(rows.map(({ roundId }) => roundId)).toEqual(rounds.map(({ roundId }) => roundId))
        expect(rows.map(({ sum }) => sum ?? undefined)).toEqual(sums)
        expect(drawn).toBe(sums.filter((sum) => sum !== undefined).length)
      }),
    )
  })

  it('has blocks, newest round first; a new round changes only the first block', () => {
    fc.assert(
      fc.property(rawRounds, (rounds) => {
        const { rows } = tableOf(rounds)
        const blocks = rowBlocks(rows, 7)
        expect(blocks.flat()).toEqual(rows.toReversed())
        expect(blocks.slice(1).every((block) => block.length === 7)).toBe(true)
      }),
    )
  })
})
