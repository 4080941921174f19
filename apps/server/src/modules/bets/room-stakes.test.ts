import { expect, it } from 'vitest'
import { prune } from '#src/jobs/prune.ts'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { moneyInRooms } from './player-rounds-store.ts'
import { refundSome } from './round-bets.ts'

const DAY_MS = 86_400_000

it('a player’s stakes in a room grow with his bets, shrink with each refund, and are forgotten after two days', async () => {
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

  await database.freezeClock(round.drawsAt + 4 * DAY_MS)
  const gone = await prune(db, { batch: 2 })
  expect(gone['bets.room_stake']).toBe(3)
  const left = await database.owner.query('select from bets.room_stake')
  expect(left).toEqual([])
})

it('stakes in rooms are forgotten only of game days that ended two days ago', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await database.freezeClock(Date.UTC(2026, 10, 22, 6))
  await owner.query(
    `insert into bets.room_stake (issue, game_id, player_id, room_id, staked)
     select issue, 1, 1, 11, 1 from unnest($1::bigint[]) issue`,
    [['20261118274', '20261120001', '20261122274', '20261123001']],
  )
  expect(await db.query('select bets.forget_room_stakes(10) as gone')).toEqual([{ gone: 1 }])
  const left = await owner.query('select issue::text from bets.room_stake order by 1')
  expect(left).toEqual(['20261120001', '20261122274', '20261123001'].map((issue) => ({ issue })))
})
