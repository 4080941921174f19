/** The refund of a voided round: of its own bets, all of them, and with it what the player may stake again. */
import { describe, expect, it } from 'vitest'
import { messagesOf } from '#src/modules/inbox/notify.ts'
import { protectionNow, setLimit } from '#src/modules/protection/protection-store.ts'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { moneyInRooms } from './player-rounds-store.ts'
import { refundSome } from './round-bets.ts'

const U = 1_000_000n
/** Noon of 20 November 2026 in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

describe('a refund', () => {
  it('of one round is told in one message, returns no stake of another, and leaves another voided round to be refunded', async () => {
    const database = await createTestDatabase()
    const { db } = database
    const player = await addPlayer(database)
    const first = await openTestRound(database)
    expect(await placeAll(database, [orderFor(player, first)])).toEqual([null])
    const second = await openTestRound(database)
    expect(await placeAll(database, [orderFor(player, second)])).toEqual([null])
    const namesake = await openTestRound(database, { gameId: 2, issue: first.issue })
    expect(await placeAll(database, [orderFor(player, namesake)])).toEqual([null])
    const refund = async (round: { gameId: number; issue: string }) => ({
      done: await refundSome(db, round, { max: 10 }),
      cash: await cashOf(database, player),
    })

    await database.freezeClock(namesake.drawsAt)
    expect(await voidRound(db, first, 'sealed_late')).toBe(true)
    // While only the first is voided.
    for (const round of [second, namesake]) {
      expect(await refund(round)).toEqual({ done: 0, cash: 700n * U })
    }
    for (const round of [second, namesake]) {
      expect(await voidRound(db, round, 'sealed_late')).toBe(true)
    }
    expect(await messagesOf(db, player, 10)).toEqual([])
    expect(await refund(first)).toEqual({ done: 1, cash: 800n * U })
    expect(await refund(first)).toEqual({ done: 0, cash: 800n * U })
    const facts = { game: 'DOT', issue: first.issue, amount: '100.00' }
    expect(await messagesOf(db, player, 10)).toMatchObject([
      { kind: 'round_voided', facts, read: false },
    ])
    expect(await refund(namesake)).toEqual({ done: 1, cash: 900n * U })
    expect(await refund(second)).toEqual({ done: 1, cash: 1_000n * U })
    await expectAlwaysTrue(database.owner)
  })

  it('gives the player back the part of his limit that the stakes had used, and his session’s figures', async () => {
    const database = await createTestDatabase()
    const { db } = database
    await database.freezeClock(NOON)
    const playerId = await addPlayer(database)
    await setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 150n * U })
    const round = await openTestRound(database)
    expect(await placeAll(database, [orderFor(playerId, round)])).toEqual([null])
    await database.freezeClock(round.drawsAt)
    expect(await voidRound(db, round, 'sealed_late')).toBe(true)
    const next = await openTestRound(database)
    expect(await placeAll(database, [orderFor(playerId, next)])).toEqual(['limit_reached'])
    expect(await refundSome(db, round, { max: 10 })).toBe(1)
    expect(await protectionNow(db, playerId)).toMatchObject({ staked: 0n, won: 0n })
    expect(await placeAll(database, [orderFor(playerId, next)])).toEqual([null])
    expect(await protectionNow(db, playerId)).toMatchObject({ staked: 100n * U, won: 0n })
    await expectAlwaysTrue(database.owner)
  })

  it('that another has not finished is waited for, and continued', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const round = await openTestRound(database)
    const players = [await addPlayer(database), await addPlayer(database)]
    const orders = players.map((player) => orderFor(player, round))
    expect(await placeAll(database, orders)).toEqual([null, null])
    await database.freezeClock(round.drawsAt)
    expect(await voidRound(db, round, 'sealed_late')).toBe(true)
    const { second } = await db.transaction(async (tx) => {
      expect(await refundSome(tx, round, { max: 1 })).toBe(1)
      const second = refundSome(db, round, { max: 1 })
      await somebodyWaits(database)
      return { second }
    })
    expect(await second).toBe(1)
    for (const player of players) expect(await cashOf(database, player)).toBe(1_000n * U)
    expect(await refundSome(db, round, { max: 1 })).toBe(0)
    await expectAlwaysTrue(owner)
  })

  it('that finds its round not voided yet does not end the round, even if it is voided meanwhile', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const player = await addPlayer(database)
    const round = await openTestRound(database)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
    await database.freezeClock(round.drawsAt)
    const { early } = await owner.transaction(async (tx) => {
      await tx.query('lock table bets.settling in share mode')
      const early = refundSome(db, round, { max: 10 })
      // It is over now; if it went on to the bets, it would wait.
      await Promise.race([early, somebodyWaits(database)])
      expect(await voidRound(db, round, 'sealed_late')).toBe(true)
      return { early }
    })
    expect(await early).toBe(0)
    expect(await refundSome(db, round, { max: 10 })).toBe(1)
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(owner)
  })
})

it('a player’s stakes in a room grow with his bets, and shrink with each refund; they are added up for a new balance alone', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const round = await openTestRound(database)
  const [ann, bob] = [await addPlayer(database), await addPlayer(database)]
  const rooms = [
    { playerId: ann, roomId: 11 },
    { playerId: ann, roomId: 12 },
    { playerId: bob, roomId: 11 },
  ].map((room) => ({ ...room, gameId: 1, issue: round.issue }))
  const bought = async () =>
    (await moneyInRooms(db, rooms)).map(({ bought }) => Number((bought ?? -U) / U))
  const versions = async () => (await moneyInRooms(db, rooms)).map(({ version }) => version)
  const boughtSince = async (known: bigint[]) =>
    (await moneyInRooms(db, rooms, known)).map(({ bought }) => bought)

  expect(await bought()).toEqual([0, 0, 0])
  expect(
    await placeAll(database, [orderFor(ann, round), orderFor(bob, round, { u: 150 })]),
  ).toEqual([null, null])
  expect(await placeAll(database, [orderFor(ann, round, { ruleIds: [1, 4] })])).toEqual([null])
  const before = await versions()
  expect(await boughtSince(before)).toEqual([null, null, null])
  expect(await placeAll(database, [orderFor(ann, round, { u: 200, room: 2 })])).toEqual([null])
  expect(await bought()).toEqual([300, 200, 150])
  expect(await boughtSince(before)).toEqual([300n * U, 200n * U, null])
  await expectAlwaysTrue(database.owner)

  await database.freezeClock(round.drawsAt)
  expect(await voidRound(db, round, 'sealed_late')).toBe(true)
  expect(await refundSome(db, round, { max: 2 })).toBe(2)
  expect(await bought()).toEqual([0, 200, 150])
  expect(await refundSome(db, round, { max: 10 })).toBe(2)
  expect(await bought()).toEqual([0, 0, 0])
  await expectAlwaysTrue(database.owner)
})
