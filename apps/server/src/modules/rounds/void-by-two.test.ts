/** What the database itself checks when one person proposes to void a round and another confirms it. */
import { describe, expect, it } from 'vitest'
import { sealRound } from '#src/modules/bets/round-bets.ts'
import {
  drawTestRound,
  openTestRound,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'

/** How long before its end nobody decides any more to void a round. */
const BEFORE_END_MS = 10_000

type Named = { gameId: number; issue: string }

/** A database with two owners: by default ann proposes, and ben confirms. */
async function withTwoPersons() {
  const database = await createTestDatabase()
  const { db } = database
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  return {
    database,
    db,
    ann,
    ben,
    propose: (round: Named, session = ann) => proposeRoundVoid(db, { ...round, session }),
    confirm: (round: Named, session = ben) => confirmRoundVoid(db, { ...round, session }),
  }
}

/** The state of each round, by game and number. */
async function states({ owner }: TestDatabase): Promise<Record<string, string>> {
  const rows = await owner.query<{ name: string; state: string }>(
    `select game_id || ', ' || issue as name, coalesce(void_reason, state) as state from rounds.round`,
  )
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

describe('a proposal to void a round', () => {
  it('is made and confirmed until ten seconds before the end, open or sealed, and not from then on: the log has it before the value', async () => {
    const { database, db, propose, confirm } = await withTwoPersons()
    const [open, sealed, late] = [
      await openTestRound(database),
      await openTestRound(database),
      await openTestRound(database),
    ]
    await database.freezeClock(sealed.sealsAt)
    await sealRound(db, sealed)
    await sealRound(db, late)
    await database.freezeClock(open.drawsAt - BEFORE_END_MS - 1)
    for (const round of [open, sealed]) {
      expect(await propose(round)).toBe('proposed')
      expect(await confirm(round)).toBe('confirmed')
    }
    await database.freezeClock(late.drawsAt - BEFORE_END_MS - 1)
    await propose(late)
    await database.freezeClock(late.drawsAt - BEFORE_END_MS)
    expect(await confirm(late)).toBe('too_late')
    const next = await openTestRound(database)
    await database.freezeClock(next.drawsAt - BEFORE_END_MS)
    expect(await propose(next)).toBe('too_late')
    await database.freezeClock(next.drawsAt)
    expect(await propose(next)).toBe('too_late')
  })

  it('is made and confirmed too late if the time is over before the round’s lock is had', async () => {
    const { database, propose, confirm } = await withTwoPersons()
    const held = (round: TestRound, act: () => Promise<string>) =>
      heldUntilTheEnd(database, round, act, round.drawsAt - BEFORE_END_MS)
    const first = await openTestRound(database)
    expect(await held(first, () => propose(first))).toBe('too_late')
    const second = await openTestRound(database)
    expect(await propose(second)).toBe('proposed')
    expect(await held(second, () => confirm(second))).toBe('too_late')
  })

  it('is confirmed by another person, who voids this round and no other', async () => {
    const { database, ann, ben, propose, confirm } = await withTwoPersons()
    const round = await openTestRound(database)
    const other = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: round.issue })
    expect(await propose(other, ben)).toBe('proposed')
    expect(await propose(namesake, ben)).toBe('proposed')
    expect(await confirm(round, ann)).toBe('not_found')
    expect(await propose(round)).toBe('proposed')
    expect(await confirm(round, ben)).toBe('confirmed')
    expect(await states(database)).toEqual({
      [`1, ${round.issue}`]: 'two_persons',
      [`1, ${other.issue}`]: 'open',
      [`2, ${round.issue}`]: 'open',
    })
    expect(
      await database.owner.query(`select subject from staff.proposal where state = 'confirmed'`),
    ).toEqual([{ subject: `round:1:${round.issue}` }])
    // The proposals of the others still stand, and are their own.
    expect(await confirm(other, ann)).toBe('confirmed')
    expect(await confirm(namesake, ben)).toBe('same_person')
    expect(await confirm(namesake, ann)).toBe('confirmed')
  })

  it('is neither made nor confirmed for a round that there is not, or that is decided', async () => {
    const { database, propose, confirm } = await withTwoPersons()
    const drawn = await openTestRound(database)
    const voided = await openTestRound(database)
    expect(await propose(voided)).toBe('proposed')
    expect(await confirm(voided)).toBe('confirmed')
    expect(await propose(drawn)).toBe('proposed')
    await drawTestRound(database, drawn, [1, 2, 3])
    const late = await openTestRound(database)
    await voidTestRound(database, late)
    // Also before their ends, if the clock jumps back.
    for (const at of [late.drawsAt, voided.drawsAt - 1]) {
      await database.freezeClock(at)
      for (const round of [drawn, voided, late]) {
        expect(await propose(round)).toBe('decided')
        expect(await confirm(round)).toBe(round === late ? 'not_found' : 'decided')
      }
    }
    for (const nowhere of [
      { gameId: 1, issue: '1' },
      { gameId: 2, issue: drawn.issue },
    ]) {
      expect(await propose(nowhere)).toBe('not_found')
      expect(await confirm(nowhere)).toBe('not_found')
    }
  })

  it('is not made for a round that has ended, although others run, not even by the owner of the database', async () => {
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
