/** The settlement of a round: one call after the other, not before the draw, and with it what the player has won. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { protectionNow } from '#src/modules/protection/protection-store.ts'
import { storeDraw } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { sealRound, settleSome } from './round-bets.ts'

const U = 1_000_000n
const TODAY = '2026-11-20'
/** Noon of that day in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

const SIGNATURE = randomBytes(48)
const DRAW = {
  seed: randomBytes(32),
  signature: SIGNATURE,
  randomness: createHash('sha256').update(SIGNATURE).digest(),
  digits: [9, 9, 9],
} as const

function stateOf({ owner }: TestDatabase) {
  return owner.query('select state from rounds.round')
}

describe('a settlement', () => {
  it('that another has not finished is waited for, and continued', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const round = await openTestRound(database)
    const players = [await addPlayer(database), await addPlayer(database)]
    await placeAll(
      database,
      players.map((player) => orderFor(player, round)),
    )
    await drawTestRound(database, round, [9, 9, 9])
    const { second } = await db.transaction(async (tx) => {
      expect(await settleSome(tx, round, { max: 1, onDay: TODAY })).toBe(1)
      const second = settleSome(db, round, { max: 1, onDay: TODAY })
      await somebodyWaits(database)
      return { second }
    })
    expect(await second).toBe(1)
    for (const player of players) expect(await cashOf(database, player)).toBe(1_092n * U)
    expect(await stateOf(database)).toEqual([{ state: 'drawn' }])
    expect(await settleSome(db, round, { max: 1, onDay: TODAY })).toBe(0)
    expect(await stateOf(database)).toEqual([{ state: 'settled' }])
    await expectAlwaysTrue(database.owner)
  })

  it('that finds its round not drawn yet does not end the round, even if it is drawn meanwhile', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const player = await addPlayer(database)
    const round = await openTestRound(database)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
    await database.freezeClock(round.sealsAt)
    expect(await sealRound(db, round)).toBe(true)
    await database.freezeClock(round.drawsAt)
    const { early } = await owner.transaction(async (tx) => {
      await tx.query('lock table bets.bet in share mode')
      const early = settleSome(db, round, { max: 10, onDay: TODAY })
      // It is over now; if it went on to the bets, it would wait.
      await Promise.race([early, somebodyWaits(database)])
      expect(await storeDraw(db, round, DRAW)).toBe(true)
      return { early }
    })
    expect(await early).toBe(0)
    expect(await settleSome(db, round, { max: 10, onDay: TODAY })).toBe(1)
    expect(await cashOf(database, player)).toBe(1_092n * U)
    await expectAlwaysTrue(owner)
  })

  it('is of one round alone: by its own draw, while others of its game are drawn or open', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    await database.freezeClock(NOON)
    const player = await addPlayer(database)
    const rounds: TestRound[] = []
    for (const digits of [[9, 9, 9], [0, 0, 0], null] as const) {
      const round = await openTestRound(database)
      // On short: that loses in the first round, and wins in the second.
      expect(await placeAll(database, [orderFor(player, round, { ruleIds: [2] })])).toEqual([null])
      if (digits) await drawTestRound(database, round, digits)
      rounds.push(round)
    }
    const settle = async (index: number) => ({
      done: await settleSome(db, rounds[index] as TestRound, { max: 10, onDay: TODAY }),
      cash: await cashOf(database, player),
      states: (
        await owner.query<{ state: string }>('select state from rounds.round order by issue')
      ).map(({ state }) => state),
    })
    expect(await settle(2)).toEqual({ done: 0, cash: 700n * U, states: ['drawn', 'drawn', 'open'] })
    expect(await settle(0)).toEqual({
      done: 1,
      cash: 700n * U,
      states: ['settled', 'drawn', 'open'],
    })
    expect(await settle(1)).toEqual({
      done: 1,
      cash: 892n * U,
      states: ['settled', 'settled', 'open'],
    })
    await expectAlwaysTrue(owner)
  })

  it('adds what was paid to the player’s session, and to his day, robots’ to none', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    await database.freezeClock(NOON)
    const [ann, ben, robot] = [
      await addPlayer(database),
      await addPlayer(database),
      await addPlayer(database, { robot: true }),
    ]
    for (const day of ['2026-11-20', '2026-11-20', '2026-11-21']) {
      const round = await openTestRound(database)
      await placeAll(database, [
        orderFor(ann, round, { ruleIds: [1, 2] }),
        orderFor(ben, round, { ruleIds: [2] }),
        orderFor(robot, round),
      ])
      await placeAll(database, [orderFor(ann, round, { u: 200 })])
      await drawTestRound(database, round, [9, 9, 9])
      // Long has hit.
      expect(await settleSome(db, round, { max: 10, onDay: day })).toBe(4)
    }
    expect(await protectionNow(db, ann)).toMatchObject({ staked: 1_200n * U, won: 1_728n * U })
    expect(await protectionNow(db, ben)).toMatchObject({ staked: 300n * U, won: 0n })
    expect(
      await owner.query(
        'select player_id as player, day::text, staked, paid from bets.player_day order by 1, 2',
      ),
    ).toEqual([
      { player: ann, day: '2026-11-20', staked: 800n * U, paid: 1_152n * U },
      { player: ann, day: '2026-11-21', staked: 400n * U, paid: 576n * U },
      { player: ben, day: '2026-11-20', staked: 200n * U, paid: 0n },
      { player: ben, day: '2026-11-21', staked: 100n * U, paid: 0n },
    ])
    await expectAlwaysTrue(owner)
  })
})
