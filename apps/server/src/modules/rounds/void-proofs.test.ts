/** What voids a round, and when its seed is published: by the time of the lock, and by that round's own proposal. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openTestRound } from '#testing/fixtures.ts'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { staffToken } from '#testing/staff-token.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { publishSeed, voidRound } from './round-store.ts'
import { confirmRoundVoid, proposeRoundVoid } from './void-store.ts'

/** A database with two members of staff, who can void a round together. */
async function withTwoPersons() {
  const database = await createTestDatabase()
  const { db } = database
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  return {
    database,
    db,
    propose: (round: { gameId: number; issue: string }) =>
      proposeRoundVoid(db, { ...round, note: 'why', session: ann }),
    confirm: (round: { gameId: number; issue: string }) =>
      confirmRoundVoid(db, { ...round, session: ben }),
  }
}

describe('a void', () => {
  it('judges by the time at which it gets the lock: a round that ended meanwhile is voided', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const round = await openTestRound(database)
    await database.freezeClock(round.drawsAt - 1)
    const { voiding } = await owner.transaction(async (tx) => {
      await tx.query('select from rounds.round where issue = $1 for no key update', [round.issue])
      const voiding = voidRound(db, round, 'sealed_late')
      await somebodyWaits(database)
      await database.freezeClock(round.drawsAt)
      return { voiding }
    })
    expect(await voiding).toBe(true)
  })

  it('by two persons is not proved by a proposal that nobody confirmed, nor by that for another round', async () => {
    const { database, db, propose, confirm } = await withTwoPersons()
    const round = await openTestRound(database)
    const other = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: round.issue })
    for (const { gameId, issue } of [other, namesake]) {
      expect(await propose({ gameId, issue })).toBe('proposed')
      expect(await confirm({ gameId, issue })).toBe('voided')
    }
    expect(await voidRound(db, round, 'two_persons' as never)).toBe(false)
    expect(await propose(round)).toBe('proposed')
    expect(await voidRound(db, round, 'two_persons' as never)).toBe(false)
    expect(await confirm(round)).toBe('voided')
  })
})

it('the seed of a round that two persons voided is published from its end on, and not 1 ms before', async () => {
  const { database, db, propose, confirm } = await withTwoPersons()
  const round = await openTestRound(database)
  expect(await propose(round)).toBe('proposed')
  expect(await confirm(round)).toBe('voided')
  const seed = randomBytes(32)
  for (const at of [round.sealsAt - 1, round.sealsAt, round.drawsAt - 1]) {
    await database.freezeClock(at)
    expect(await publishSeed(db, round, seed)).toBe(false)
  }
  await database.freezeClock(round.drawsAt)
  expect(await publishSeed(db, round, seed)).toBe(true)
})
