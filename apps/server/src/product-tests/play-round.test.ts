import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { FIRST_ROUND, playRound, TRUE_SCHEDULE } from '#testing/product/play-round.ts'
import { createTestApp } from '#testing/product/test-app.ts'

describe('a product whose clock is set', () => {
  it('opens, seals, draws and settles each round of its true schedule', async () => {
    const test = await createTestApp(TRUE_SCHEDULE, { at: FIRST_ROUND })
    const issues = [await playRound(test), await playRound(test)]
    expect(issues).toEqual(['20261120001', '20261120002'])
    await expectAlwaysTrue(test.database.owner)
  })
})
