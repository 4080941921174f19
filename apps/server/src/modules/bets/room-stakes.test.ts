import { expect, it } from 'vitest'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { moneyInRooms } from './player-rounds-store.ts'
import { refundSome } from './round-bets.ts'

it('a player’s stakes in a room grow with his bets, and shrink with each refund', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const round = await openTestRound(database)
  const [ann, bob] = [await addPlayer(database), await addPlayer(database)]
  const bought = async () =>
    (
      await moneyInRooms(
        db,
        [
          { playerId: ann, roomId: 11 },
          { playerId: ann, roomId: 12 },
          { playerId: bob, roomId: 11 },
        ].map((room) => ({ ...room, gameId: 1, issue: round.issue })),
      )
    ).map(({ bought }) => Number(bought / 1_000_000n))

  expect(await bought()).toEqual([0, 0, 0])
  expect(
    await placeAll(database, [orderFor(ann, round), orderFor(bob, round, { u: 150 })]),
  ).toEqual([null, null])
  expect(await placeAll(database, [orderFor(ann, round, { ruleIds: [1, 4] })])).toEqual([null])
  expect(await placeAll(database, [orderFor(ann, round, { u: 200, room: 2 })])).toEqual([null])
  expect(await bought()).toEqual([300, 200, 150])
  await expectAlwaysTrue(database.owner)

  await database.freezeClock(round.drawsAt)
  expect(await voidRound(db, round, 'sealed_late')).toBe(true)
  expect(await refundSome(db, round, { max: 2 })).toBe(2)
  expect(await bought()).toEqual([0, 200, 150])
  expect(await refundSome(db, round, { max: 10 })).toBe(2)
  expect(await bought()).toEqual([0, 0, 0])
  await expectAlwaysTrue(database.owner)
})
