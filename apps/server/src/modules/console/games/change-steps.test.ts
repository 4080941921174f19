/** Decisions on a change of a room that wait for each other, or for the opening of a round. */
import { expect, it } from 'vitest'
import { openTestRound } from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, proposeRoomChange } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'
import { contentOf } from './room-change.ts'

const START = Date.UTC(2026, 10, 20, 12)
const SECOND = 1_000

/** A proposal of ann to pay 1.8 for long in the first room, and ben. */
async function house() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  const { db, owner } = database
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  const proposal = { roomId: 11, version: 1, session: ann }
  expect(
    await proposeRoomChange(db, { ...proposal, odds: [{ ruleId: 1, oddsMilli: 1_800 }] }),
  ).toBe('proposed')
  return {
    ...{ database, db, owner, proposal, ann, ben },
    /** Opens a round of the first game; the clock is then a minute later. */
    async open() {
      await database.freezeClock(START + 60 * SECOND)
      return openTestRound(database)
    },
    state: async () => {
      const rows = await owner.query<{ state: string; odds: number; version: number }>(
        `select state, odds_milli as odds, rules_version as version
         from staff.proposal join games.room on 'room:' || room.id = subject
         join games.odds on odds.room_id = room.id and rule_id = 1 order by proposal.id`,
      )
      return rows.map(({ state, odds, version }) => `${state}: ${odds}, version ${version}`)
    },
  }
}

it('a change that does not exist is not found, nor is a room', async () => {
  const { db, ben, proposal, state } = await house()
  expect(await proposeRoomChange(db, { ...proposal, roomId: 999 })).toBe('not_found')
  expect(await confirm(db, 2, ben)).toBe('not_found')
  expect(await end(db, 2, ben)).toBe('not_found')
  expect(await state()).toEqual(['proposed: 1920, version 1'])
})

it('a change is withdrawn by its proposer and refused by another person, before or after it is confirmed', async () => {
  const { db, owner, proposal, ann, ben } = await house()
  expect(await end(db, 1, ann)).toBe('withdrawn')
  for (const session of [ann, ben]) {
    expect(await end(db, 1, session)).toBe('decided')
    expect(await confirm(db, 1, session)).toBe('decided')
  }
  expect(await proposeRoomChange(db, { ...proposal, odds: [] })).toBe('proposed')
  expect(await confirm(db, 2, ann)).toBe('same_person')
  expect(await confirm(db, 2, ben)).toBe('confirmed')
  expect(await proposeRoomChange(db, { ...proposal, odds: [] })).toBe('already_proposed')
  expect(await end(db, 2, ben)).toBe('refused')
  expect(
    await owner.query(
      `select state, ended_by - proposed_by as by, ended_at from staff.proposal order by id`,
    ),
  ).toEqual([
    { state: 'withdrawn', by: 0, ended_at: START },
    { state: 'refused', by: 1, ended_at: START },
  ])
})

it('only odds that differ from the present ones are proposed, each for its own rule', async () => {
  const { db, proposal } = await house()
  const odds = [
    { ruleId: 1, oddsMilli: 1_920 },
    { ruleId: 2, oddsMilli: 1_700 },
    { ruleId: 3, oddsMilli: 1_800 },
  ] as const
  expect(await contentOf(db, { ...proposal, odds, note: 'a test' })).toMatchObject({
    stake_max: { before: 1_000_000_000_000, after: 1_000_000_000_000 },
    odds: [
      { rule_id: 2, before: 1_920, after: 1_700 },
      { rule_id: 3, before: 1_920, after: 1_800 },
    ],
  })
})

it.each([{ stake_min: 0n }, { stake_min: 2n, stake_max: 1n }, { entry_min: -1n }])(
  'the database takes no limits in the wrong order: %o',
  async (limits) => {
    const { db, proposal } = await house()
    const change = { ...proposal, roomId: 12, limits }
    await expect(proposeRoomChange(db, change)).rejects.toThrow('in the wrong order')
  },
)

it.each(['confirm', 'end'] as const)(
  'of two who decide at once the second, who would %s the change, waits and is too late',
  async (act) => {
    const { database, db, ann, ben, state } = await house()
    const third = await staffToken(database)
    const decide = act === 'confirm' ? confirm : end
    const late = await answerAfter(database, {
      first: (tx) => decide(tx, 1, act === 'confirm' ? ben : ann),
      second: () => decide(db, 1, third),
    })
    expect(late).toBe('decided')
    expect(await state()).toEqual([
      `${act === 'confirm' ? 'confirmed' : 'withdrawn'}: 1920, version 1`,
    ])
  },
)

it('a round waits while a confirmed change is ended, and opens without it', async () => {
  const { database, db, ben, open, state } = await house()
  await confirm(db, 1, ben)
  await answerAfter(database, {
    first: async (tx) => expect(await end(tx, 1, ben)).toBe('refused'),
    second: open,
  })
  expect(await state()).toEqual(['refused: 1920, version 1'])
})

it('a round does not wait for a room that has no confirmed change', async () => {
  const { database, db, ben, proposal, open, state } = await house()
  await confirm(db, 1, ben)
  let opening: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await proposeRoomChange(tx, {
      ...proposal,
      roomId: 12,
      odds: [{ ruleId: 1, oddsMilli: 1_800 }],
    })
    opening = open()
    const first = await Promise.race([
      opening.then(() => 'the round is open'),
      somebodyWaits(database).then(() => 'the round waits'),
    ])
    expect(first).toBe('the round is open')
  })
  await opening
  expect((await state())[0]).toBe('effective: 1800, version 2')
})

it('a confirmed change does not take effect if the rules have changed since it was proposed', async () => {
  const { database, db, owner, ben, open, state } = await house()
  await confirm(db, 1, ben)
  await owner.query('update games.room set rules_version = 2 where id = 11')
  await open()
  expect(await state()).toEqual(['confirmed: 1920, version 2'])
  expect(await database.db.query('select from rounds.round')).toHaveLength(1)
})

it('limits and odds of a room and no other take effect with a round', async () => {
  const { db, owner, ann, ben, proposal, open } = await house()
  await end(db, 1, ann)
  const limits = { stake_min: 5_000_000n, stake_max: 50_000_000n, entry_min: 7n }
  const odds = [
    { ruleId: 1, oddsMilli: 1_800 },
    { ruleId: 3, oddsMilli: 1_700 },
  ] as const
  const present = () =>
    owner.query<{ id: number; rule: number }>(
      `select room.id, stake_min, stake_max, entry_min, rules_version, rule_id as rule, odds_milli
       from games.room join games.odds on room_id = room.id order by 1, 6`,
    )
  const before = await present()
  await proposeRoomChange(db, { ...proposal, limits, odds })
  await confirm(db, 2, ben)
  expect(await present()).toEqual(before)
  const { issue } = await open()
  expect(await present()).toEqual(
    before.map((row) =>
      row.id !== 11
        ? row
        : {
            ...{ ...row, stake_min: 5_000_000n, stake_max: 50_000_000n, entry_min: 7n },
            rules_version: 2,
            ...(row.rule === 1 ? { odds_milli: 1_800 } : {}),
            ...(row.rule === 3 ? { odds_milli: 1_700 } : {}),
          },
    ),
  )
  expect(
    await owner.query(
      'select state, effective_with, effective_at from staff.proposal where id = 2',
    ),
  ).toEqual([{ state: 'effective', effective_with: issue, effective_at: START + 60 * SECOND }])
  expect(await end(db, 2, ann)).toBe('decided')
})
