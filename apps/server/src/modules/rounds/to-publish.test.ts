/** Which voided rounds have a seed or a beacon's value still to be published, and when. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  drawTestRound,
  openTestRound,
  sealTestRound,
  someDraw,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'
import { publishSeed, roundsToPublish, storeDraw, storeValue, voidRound } from './round-store.ts'

const { database, db } = eachTestDatabase()

const DAY = 86_400_000

async function voidedByTwo(database: TestDatabase): Promise<TestRound> {
  const { db } = database
  const round = await openTestRound(database)
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  expect(await proposeRoundVoid(db, { ...round, session: ann })).toBe('proposed')
  expect(await confirmRoundVoid(db, { ...round, session: ben })).toBe('confirmed')
  return round
}

/** What is due of a game's rounds. */
async function due({ db }: TestDatabase, gameId = 1): Promise<Record<string, string>> {
  const rounds = await roundsToPublish(db, gameId)
  return Object.fromEntries(
    rounds.map(({ issue, seedDue, valueDue }) => [
      issue,
      [seedDue ? 'seed' : '', valueDue ? 'value' : ''].filter(Boolean).join(' and '),
    ]),
  )
}

describe('seed and value of a voided round', () => {
  it('are due from its end on, and not before, if two persons voided it earlier', async () => {
    const round = await voidedByTwo(database)
    for (const at of [round.sealsAt - 1, round.sealsAt, round.drawsAt - 1]) {
      await database.freezeClock(at)
      expect(await due(database)).toEqual({})
      expect(await storeValue(database.db, round, someDraw())).toBe(false)
      expect(await publishSeed(database.db, round, randomBytes(32))).toBe(false)
    }
    await database.freezeClock(round.drawsAt)
    expect(await roundsToPublish(db, 1)).toMatchObject([
      { issue: round.issue, chainIndex: 1, beaconChainHash: 'test', beaconRound: 2 },
    ])
    expect(await due(database)).toEqual({ [round.issue]: 'seed and value' })
    expect(await storeValue(database.db, round, someDraw())).toBe(true)
    expect(await publishSeed(database.db, round, randomBytes(32))).toBe(true)
  })

  it('are published if the round ended before its lock was had', async () => {
    const round = await voidedByTwo(database)
    const publish = () => publishSeed(database.db, round, randomBytes(32))
    expect(await heldUntilTheEnd(database, round, publish)).toBe(true)
  })

  it('are due however late, and the value until 30 days after the seed was published', async () => {
    const round = await openTestRound(database)
    await voidTestRound(database, round)
    const late = round.drawsAt + 400 * DAY
    await database.freezeClock(late)
    expect(await due(database)).toEqual({ [round.issue]: 'seed and value' })
    expect(await publishSeed(database.db, round, randomBytes(32))).toBe(true)
    await database.freezeClock(late + 30 * DAY - 1)
    expect(await due(database)).toEqual({ [round.issue]: 'value' })
    await database.freezeClock(late + 30 * DAY)
    expect(await due(database)).toEqual({})
  })

  it('are due until each is published, whatever is published of another round', async () => {
    const first = await openTestRound(database)
    const second = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: first.issue })
    for (const round of [first, second, namesake]) await voidTestRound(database, round)
    const all = 'seed and value'
    expect(await due(database)).toEqual({ [first.issue]: all, [second.issue]: all })
    expect(await publishSeed(db, first, randomBytes(32))).toBe(true)
    expect(await due(database)).toEqual({ [first.issue]: 'value', [second.issue]: all })
    expect(await storeValue(db, second, someDraw())).toBe(true)
    expect(await due(database)).toEqual({ [first.issue]: 'value', [second.issue]: 'seed' })
    expect(await storeValue(db, first, someDraw())).toBe(true)
    expect(await due(database)).toEqual({ [second.issue]: 'seed' })
    expect(await publishSeed(db, second, randomBytes(32))).toBe(true)
    expect(await due(database)).toEqual({})
    expect(await due(database, 2)).toEqual({ [namesake.issue]: all })
    expect(await publishSeed(db, first, randomBytes(32))).toBe(false)
    expect(await storeValue(db, first, someDraw())).toBe(false)
    expect(await storeDraw(db, first, someDraw())).toBe(false)
  })

  it('are due of the eight rounds that were voided last, these first', async () => {
    const rounds: TestRound[] = []
    for (let number = 0; number < 9; number += 1) rounds.push(await openTestRound(database))
    const inOrder = [4, 0, 8, 2, 6, 1, 7, 3, 5].flatMap((at) => rounds[at] ?? [])
    const ends = Math.max(...rounds.map(({ drawsAt }) => drawsAt))
    for (const [at, round] of inOrder.entries()) {
      await database.freezeClock(ends + at)
      expect(await voidRound(database.db, round, 'sealed_late')).toBe(true)
    }
    const issues = (await roundsToPublish(database.db, 1)).map(({ issue }) => issue)
    expect(issues).toEqual(
      inOrder
        .map(({ issue }) => issue)
        .slice(1)
        .toReversed(),
    )
  })
})

describe('the seed of a voided round', () => {
  it.each(['open', 'sealed'] as const)(
    'is not due while an earlier round of its chain is %s, because that one’s would follow from it',
    async (state) => {
      const earlier = await openTestRound(database)
      const round = await openTestRound(database)
      if (state === 'sealed') await sealTestRound(database, earlier)
      await voidTestRound(database, round)
      expect(await due(database)).toEqual({ [round.issue]: 'value' })
      expect(await publishSeed(db, round, randomBytes(32))).toBe(false)
    },
  )

  it('is due if earlier rounds are drawn or voided, also before their bets are settled, and later ones and those of other chains are open', async () => {
    await openTestRound(database, { gameId: 2 })
    const drawn = await openTestRound(database)
    const voided = await openTestRound(database)
    await drawTestRound(database, drawn, [1, 2, 3])
    await voidTestRound(database, voided)
    const round = await openTestRound(database)
    const open = await openTestRound(database)
    await voidTestRound(database, round)
    expect(await due(database)).toEqual({
      [voided.issue]: 'seed and value',
      [round.issue]: 'seed and value',
    })
    expect(await publishSeed(db, round, randomBytes(32))).toBe(true)
    for (const other of [drawn, open]) {
      expect(await publishSeed(db, other, randomBytes(32))).toBe(false)
    }
  })
})
