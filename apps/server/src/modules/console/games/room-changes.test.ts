/** Changes of a room's limits and odds: the allowed range, the round from which they apply, and calls at once. */
import { RETURN_MAX_PPM, RETURN_MIN_PPM } from '@sum28/domain/odds.ts'
import { RULES } from '@sum28/domain/outcomes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAccepted,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { confirm, end, proposeRoomChange } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const START = Date.UTC(2026, 10, 20, 12)
const SECOND = 1_000

/** A proposal of ann to pay 1.8 for long in the first room, and ben. */
async function house() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  const { db, owner } = database
  const [ann, ben] = [await staffToken(database), await staffToken(database)]
  const proposal = { roomId: 11, version: 1, session: ann, odds: [{ ruleId: 1, oddsMilli: 1_800 }] }
  expect(await proposeRoomChange(db, proposal)).toBe('proposed')
  return {
    database,
    db,
    owner,
    proposal,
    ann,
    ben,
    /** Opens a round of the first game, by default after fifty seconds; the clock is then ten seconds later. */
    async open(opensAt = START + 50 * SECOND) {
      await database.freezeClock(opensAt + 10 * SECOND)
      return openTestRound(database)
    },
    /** Each proposal, with the odds of long and the version that hold for bets in its room. */
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

const WAITS = ['confirmed: 1920, version 1']
const HOLDS = ['effective: 1800, version 2']

it.each([
  [-1, 'holds in the round that opens one millisecond after it', HOLDS],
  [0, 'does not hold in the round that opens at its very instant', WAITS],
  [1, 'does not hold in the round that was to open one millisecond before it', WAITS],
])('a change that is confirmed at %d ms %s, and holds in the next one', async (ms, _what, then) => {
  const { database, db, ben, open, state } = await house()
  const { drawsAt: opening } = await open()
  await database.freezeClock(opening + ms)
  expect(await confirm(db, 1, ben)).toBe('confirmed')
  expect(await state()).toEqual(WAITS)
  const second = await open(opening)
  expect(second.opensAt).toBe(opening)
  expect(await state()).toEqual(then)
  await open(second.drawsAt)
  expect(await state()).toEqual(HOLDS)
})

it('a confirmed change leaves the open round, every bet and rounds of other games as they are', async () => {
  const { database, db, ben, open, state } = await house()
  const first = await open()
  const player = await addPlayer(database)
  const bet = (round: TestRound) => placeAccepted(database, [orderFor(player, round)])
  await bet(first)
  expect(await confirm(db, 1, ben)).toBe('confirmed')
  await bet(first)
  await database.freezeClock(first.drawsAt)
  await openTestRound(database, { gameId: 2 })
  expect(await state()).toEqual(WAITS)
  await bet(await open(first.drawsAt))
  const bets = 'select odds_milli, rules_version from bets.bet order by id'
  expect(await database.owner.query(bets)).toEqual([
    { odds_milli: [1_920], rules_version: 1 },
    { odds_milli: [1_920], rules_version: 1 },
    { odds_milli: [1_800], rules_version: 2 },
  ])
  await expectAlwaysTrue(database.owner)
})

it('a change from rules that do not apply any more is not confirmed, does not take effect, and is not proposed again', async () => {
  const { database, db, owner, ann, ben, proposal, open, state } = await house()
  const change = (version: number) =>
    owner.query('update games.room set rules_version = $1 where id = 11', [version])
  await change(2)
  expect(await confirm(db, 1, ben)).toBe('rules_changed')
  await change(1)
  expect(await confirm(db, 1, ben)).toBe('confirmed')
  await change(2)
  await open()
  expect(await state()).toEqual(['confirmed: 1920, version 2'])
  expect(await database.db.query('select from rounds.round')).toHaveLength(1)
  await end(db, 1, ann)
  expect(await proposeRoomChange(db, proposal)).toBe('rules_changed')
})

it('no odds outside of the allowed range are proposed, of any outcome', async () => {
  const { db, owner, proposal } = await house()
  const edges = RULES.flatMap(({ id: rule, ways }) => {
    const [least, most] = [Math.ceil(RETURN_MIN_PPM / ways), Math.floor(RETURN_MAX_PPM / ways)]
    const unfair = [-2, 0, least - 1, most + 1].map((odds) => ({ rule, odds, fair: false }))
    return [...unfair, ...[least, most].map((odds) => ({ rule, odds, fair: true }))]
  })
  const judged = await owner.transaction(async (tx) => {
    await tx.query(`create function pg_temp.is_fair(rule smallint, odds integer) returns boolean
      language plpgsql as $$ begin
        perform games.check_odds(rule, odds);
        return true;
      exception when check_violation then return false;
      end $$`)
    return tx.query(
      `select rule, odds, pg_temp.is_fair(rule, odds) as fair
       from jsonb_to_recordset($1::jsonb) as edge (rule smallint, odds integer)`,
      [JSON.stringify(edges)],
    )
  })
  expect(judged).toEqual(edges)
  const propose = (oddsMilli: number) =>
    proposeRoomChange(db, { ...proposal, roomId: 12, odds: [{ ruleId: 1, oddsMilli }] })
  await expect(propose(2_001)).rejects.toThrow(/odds/)
  expect(await propose(2_000)).toBe('proposed')
})

it('a room that there is has one change at a time, also while it is confirmed, with limits in order', async () => {
  const { db, ben, proposal } = await house()
  expect(await proposeRoomChange(db, { ...proposal, roomId: 999 })).toBe('not_found')
  await confirm(db, 1, ben)
  expect(await proposeRoomChange(db, { ...proposal, odds: [] })).toBe('already_proposed')
  for (const limits of [{ stake_min: 0n }, { stake_min: 2n, stake_max: 1n }, { entry_min: -1n }]) {
    const change = { ...proposal, roomId: 12, limits }
    await expect(proposeRoomChange(db, change)).rejects.toThrow('in the wrong order')
  }
})

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
    await proposeRoomChange(tx, { ...proposal, roomId: 12 })
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

it('limits and odds of a room and no other take effect with a round', async () => {
  const { db, owner, ann, ben, proposal, open } = await house()
  await end(db, 1, ann)
  const limits = { stake_min: 5_000_000n, stake_max: 50_000_000n, entry_min: 7n }
  const odds = new Map([
    [1, 1_800],
    [3, 1_700],
  ])
  const present = () =>
    owner.query<{ id: number; rule: number; odds_milli: number }>(
      `select room.id, stake_min, stake_max, entry_min, rules_version, rule_id as rule, odds_milli
       from games.room join games.odds on room_id = room.id order by 1, 6`,
    )
  const before = await present()
  const changes = [...odds].map(([ruleId, oddsMilli]) => ({ ruleId, oddsMilli }))
  await proposeRoomChange(db, { ...proposal, limits, odds: changes })
  await confirm(db, 2, ben)
  expect(await present()).toEqual(before)
  const { issue } = await open()
  const changed = (row: (typeof before)[number]) => ({
    ...row,
    ...limits,
    rules_version: 2,
    odds_milli: odds.get(row.rule) ?? row.odds_milli,
  })
  expect(await present()).toEqual(before.map((row) => (row.id === 11 ? changed(row) : row)))
  const effect = 'select state, effective_with, effective_at from staff.proposal where id = 2'
  expect(await owner.one(effect)).toEqual({
    state: 'effective',
    effective_with: issue,
    effective_at: START + 60 * SECOND,
  })
  expect(await end(db, 2, ann)).toBe('decided')
})
