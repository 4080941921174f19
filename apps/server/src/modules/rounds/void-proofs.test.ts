/** What voids a round, and when its seed is published: by the time of the lock, and by that round's own proposal. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openTestRound, type TestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'
import { publishSeed, voidRound } from './round-store.ts'

/** A database with two members of staff, who can void a round together. */
async function withTwoPersons() {
  const database = await createTestDatabase()
  const { db } = database
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  return {
    database,
    db,
    propose: (round: { gameId: number; issue: string }) =>
      proposeRoundVoid(db, { ...round, session: ann }),
    confirm: (round: { gameId: number; issue: string }) =>
      confirmRoundVoid(db, { ...round, session: ben }),
  }
}

describe('a void', () => {
  it('judges by the time at which it gets the lock, and is made once', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const round = await openTestRound(database)
    const act = () => voidRound(db, round, 'sealed_late')
    expect(await heldUntilTheEnd(database, round, act)).toBe(true)
    expect(await act()).toBe(false)
  })

  it('by two persons is not proved by a proposal that nobody confirmed, nor by that for another round', async () => {
    const { database, db, propose, confirm } = await withTwoPersons()
    const round = await openTestRound(database)
    const other = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: round.issue })
    for (const decided of [other, namesake]) {
      expect(await propose(decided)).toBe('proposed')
      expect(await confirm(decided)).toBe('confirmed')
    }
    expect(await voidRound(db, round, 'two_persons' as never)).toBe(false)
    expect(await propose(round)).toBe('proposed')
    expect(await voidRound(db, round, 'two_persons' as never)).toBe(false)
    expect(await confirm(round)).toBe('confirmed')
  })

  it('is not proposed for a round that has ended, although others run, not even by the owner of the database', async () => {
    const { database } = await withTwoPersons()
    const { owner } = database
    const round = await openTestRound(database)
    const proposed = ({ gameId, issue }: TestRound) =>
      owner.query(
        `insert into staff.proposal (kind, subject, content, reason, proposed_by, proposed_at)
         select 'void', $1, '{}', 'why', min(id), app.now() from staff.member`,
        [`round:${gameId}:${issue}`],
      )
    await database.freezeClock(round.drawsAt)
    const next = await openTestRound(database)
    await openTestRound(database, { gameId: 2, issue: round.issue })
    await expect(proposed(round)).rejects.toThrow('has ended')
    await proposed(next)
  })
})

describe('the seed of a round that two persons voided', () => {
  async function voidedByTwo() {
    const { database, db, propose, confirm } = await withTwoPersons()
    const round = await openTestRound(database)
    expect(await propose(round)).toBe('proposed')
    expect(await confirm(round)).toBe('confirmed')
    return { database, round, publish: () => publishSeed(db, round, randomBytes(32)) }
  }

  it('is published from its end on, and not 1 ms before', async () => {
    const { database, round, publish } = await voidedByTwo()
    for (const at of [round.sealsAt - 1, round.sealsAt, round.drawsAt - 1]) {
      await database.freezeClock(at)
      expect(await publish()).toBe(false)
    }
    await database.freezeClock(round.drawsAt)
    expect(await publish()).toBe(true)
  })

  it('is published if the round ended before its lock was had', async () => {
    const { database, round, publish } = await voidedByTwo()
    expect(await heldUntilTheEnd(database, round, publish)).toBe(true)
  })
})
