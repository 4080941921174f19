/** Rounds that two persons or the engine void: until when, and which seeds and values are published of them, and when. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sealRound } from '#src/modules/bets/round-bets.ts'
import {
  drawTestRound,
  openTestRound,
  sealTestRound,
  someDraw,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { confirmRoundVoid, proposeRoundVoid } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'
import { publishSeed, roundsToPublish, storeDraw, storeValue, voidRound } from './round-store.ts'

const { database, db, owner } = eachTestDatabase()

/** How long before its end nobody decides any more to void a round. */
const BEFORE_END_MS = 10_000

type Named = { gameId: number; issue: string }

/** By two owners, of whom ann proposes and ben confirms, if no other is named. */
async function twoPersons() {
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  return {
    ann,
    ben,
    propose: (round: Named, session = ann) => proposeRoundVoid(db, { ...round, session }),
    confirm: (round: Named, session = ben) => confirmRoundVoid(db, { ...round, session }),
  }
}

describe('a proposal to void a round', () => {
  it('is made and confirmed until ten seconds before the end, open or sealed, and not from then on: the log has it before the value', async () => {
    const { propose, confirm } = await twoPersons()
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
    const { propose, confirm } = await twoPersons()
    const held = (round: TestRound, act: () => Promise<string>) =>
      heldUntilTheEnd(database, round, act, round.drawsAt - BEFORE_END_MS)
    const first = await openTestRound(database)
    expect(await held(first, () => propose(first))).toBe('too_late')
    const second = await openTestRound(database)
    expect(await propose(second)).toBe('proposed')
    expect(await held(second, () => confirm(second))).toBe('too_late')
  })

  it('is confirmed by another person, who voids this round and no other', async () => {
    const { ann, ben, propose, confirm } = await twoPersons()
    const round = await openTestRound(database)
    const other = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: round.issue })
    expect(await propose(other, ben)).toBe('proposed')
    expect(await propose(namesake, ben)).toBe('proposed')
    expect(await confirm(round, ann)).toBe('not_found')
    expect(await propose(round)).toBe('proposed')
    expect(await confirm(round, ben)).toBe('confirmed')
    const states = await owner.query<{ name: string; state: string }>(
      `select game_id || ', ' || issue as name, coalesce(void_reason, state) as state from rounds.round`,
    )
    expect(Object.fromEntries(states.map(({ name, state }) => [name, state]))).toEqual({
      [`1, ${round.issue}`]: 'two_persons',
      [`1, ${other.issue}`]: 'open',
      [`2, ${round.issue}`]: 'open',
    })
    expect(
      await owner.query(`select subject from staff.proposal where state = 'confirmed'`),
    ).toEqual([{ subject: `round:1:${round.issue}` }])
    // The proposals of the others still stand, and are their own.
    expect(await confirm(other, ann)).toBe('confirmed')
    expect(await confirm(namesake, ben)).toBe('same_person')
    expect(await confirm(namesake, ann)).toBe('confirmed')
  })

  it('is neither made nor confirmed for a round that there is not, or that is decided', async () => {
    const { propose, confirm } = await twoPersons()
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
    await staffToken(database)
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

const DAY = 86_400_000

async function voidedByTwo(): Promise<TestRound> {
  const { propose, confirm } = await twoPersons()
  const round = await openTestRound(database)
  expect(await propose(round)).toBe('proposed')
  expect(await confirm(round)).toBe('confirmed')
  return round
}

/** What is due of a game's rounds. */
async function due(gameId = 1): Promise<Record<string, string>> {
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
    const round = await voidedByTwo()
    for (const at of [round.sealsAt - 1, round.sealsAt, round.drawsAt - 1]) {
      await database.freezeClock(at)
      expect(await due()).toEqual({})
      expect(await storeValue(db, round, someDraw())).toBe(false)
      expect(await publishSeed(db, round, randomBytes(32))).toBe(false)
    }
    await database.freezeClock(round.drawsAt)
    expect(await roundsToPublish(db, 1)).toMatchObject([
      { issue: round.issue, chainIndex: 1, beaconChainHash: 'test', beaconRound: 2 },
    ])
    expect(await due()).toEqual({ [round.issue]: 'seed and value' })
    expect(await storeValue(db, round, someDraw())).toBe(true)
    expect(await publishSeed(db, round, randomBytes(32))).toBe(true)
  })

  it('are published if the round ended before its lock was had', async () => {
    const round = await voidedByTwo()
    const publish = () => publishSeed(db, round, randomBytes(32))
    expect(await heldUntilTheEnd(database, round, publish)).toBe(true)
  })

  it('are due however late, and the value until 30 days after the seed was published', async () => {
    const round = await openTestRound(database)
    await voidTestRound(database, round)
    const late = round.drawsAt + 400 * DAY
    await database.freezeClock(late)
    expect(await due()).toEqual({ [round.issue]: 'seed and value' })
    expect(await publishSeed(db, round, randomBytes(32))).toBe(true)
    await database.freezeClock(late + 30 * DAY - 1)
    expect(await due()).toEqual({ [round.issue]: 'value' })
    await database.freezeClock(late + 30 * DAY)
    expect(await due()).toEqual({})
  })

  it('are due until each is published, whatever is published of another round', async () => {
    const first = await openTestRound(database)
    const second = await openTestRound(database)
    const namesake = await openTestRound(database, { gameId: 2, issue: first.issue })
    for (const round of [first, second, namesake]) await voidTestRound(database, round)
    const all = 'seed and value'
    expect(await due()).toEqual({ [first.issue]: all, [second.issue]: all })
    expect(await publishSeed(db, first, randomBytes(32))).toBe(true)
    expect(await due()).toEqual({ [first.issue]: 'value', [second.issue]: all })
    expect(await storeValue(db, second, someDraw())).toBe(true)
    expect(await due()).toEqual({ [first.issue]: 'value', [second.issue]: 'seed' })
    expect(await storeValue(db, first, someDraw())).toBe(true)
    expect(await due()).toEqual({ [second.issue]: 'seed' })
    expect(await publishSeed(db, second, randomBytes(32))).toBe(true)
    expect(await due()).toEqual({})
    expect(await due(2)).toEqual({ [namesake.issue]: all })
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
      expect(await voidRound(db, round, 'sealed_late')).toBe(true)
    }
    const issues = (await roundsToPublish(db, 1)).map(({ issue }) => issue)
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
      expect(await due()).toEqual({ [round.issue]: 'value' })
      for (const each of [round, earlier]) {
        expect(await publishSeed(db, each, randomBytes(32))).toBe(false)
      }
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
    expect(await due()).toEqual({
      [voided.issue]: 'seed and value',
      [round.issue]: 'seed and value',
    })
    expect(await publishSeed(db, round, randomBytes(32))).toBe(true)
    for (const other of [drawn, open]) {
      expect(await publishSeed(db, other, randomBytes(32))).toBe(false)
    }
  })
})
