/** Stops by the operator (G15): they apply at the next request, and the running round is played to its end. */
import { heart, lobby, playOrder } from '@sum28/contract/lottery-routes.ts'
import { orderList } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { catalogReader, setClocksApart } from '#src/modules/games/catalog.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { FIRST_ROUND, openIssue, playRound, TRUE_SCHEDULE } from '#testing/product/play-round.ts'
import { createTestApp, type TestApp } from '#testing/product/test-app.ts'
import { eventOf, openStream } from '#testing/requests/stream-client.ts'
import { clocksApartSince, stopState, stopsNow } from './stop-betting.ts'

const BASIC = { plan_id: 11, game_id: 1 }
const SENIOR = { plan_id: 12, game_id: 1 }
const OTHER_GAME = { plan_id: 21, game_id: 2 }

/** What heart, lobby and playOrder return for a room, each called once. */
async function asSeen(test: TestApp, player: SeatedPlayer, room: typeof BASIC) {
  const beat = (await test.call(heart, room, player)).data
  const { gameList } = (await test.call(lobby, { game_id: room.game_id })).data
  const order = { ...room, issue: beat.issue.issue, play_type: 1, money: 200 }
  const { code, data } = await test.call(playOrder, order, player)
  return {
    heart: beat.game_status,
    game: gameList[0]?.status,
    room: gameList[0]?.planList.find(({ id }) => id === room.plan_id)?.status,
    order: code === 1 ? 'taken' : (data as unknown as { reason: string }).reason,
  }
}

describe('what the operator stops', () => {
  it('is stopped at the next request, alone, and continues at once after the end of the stop', async () => {
    const test = await createTestApp(TRUE_SCHEDULE, { at: FIRST_ROUND })
    const player = await addSeatedPlayer(test.database)
    const { owner } = test.database
    const running = { heart: 1, game: 1, room: 1, order: 'taken' }
    await openIssue(test)
    const stream = await openStream(test.app.url, BASIC, player)
    for (const room of [BASIC, SENIOR, OTHER_GAME]) {
      expect(await asSeen(test, player, room)).toEqual(running)
    }

    await owner.query('update games.room set stopped = true where id = 11')
    expect(await asSeen(test, player, BASIC)).toEqual({
      heart: 2,
      game: 1,
      room: 2,
      order: 'room_stopped',
    })
    expect(await asSeen(test, player, SENIOR)).toEqual(running)
    await eventOf(stream, 'round', ({ game_status }) => game_status === 2)
    await owner.query('update games.room set stopped = false')
    expect(await asSeen(test, player, BASIC)).toEqual(running)

    await owner.query('update games.game set stopped = true where id = 1')
    const gameStopped = { heart: 2, game: 2, room: 2, order: 'room_stopped' }
    expect(await asSeen(test, player, BASIC)).toEqual(gameStopped)
    expect(await asSeen(test, player, SENIOR)).toEqual(gameStopped)
    expect(await asSeen(test, player, OTHER_GAME)).toEqual(running)

    await owner.query('update games.house set stopped = true')
    const allStopped = { heart: 3, game: 3, room: 3, order: 'games_stopped' }
    for (const room of [BASIC, SENIOR, OTHER_GAME]) {
      expect(await asSeen(test, player, room)).toEqual(allStopped)
    }
    await eventOf(stream, 'round', ({ game_status }) => game_status === 3)
    await owner.query('update games.game set stopped = false')
    await owner.query('update games.house set stopped = false')
    expect(await asSeen(test, player, BASIC)).toEqual(running)
    await expectAlwaysTrue(owner)
  })

  it('accepts no more bets, and settles those of the running round', async () => {
    const test = await createTestApp(TRUE_SCHEDULE, { at: FIRST_ROUND })
    const player = await addSeatedPlayer(test.database, { u: 1_000 })
    const { owner } = test.database
    const issue = await playRound(test, async (open) => {
      const order = { ...BASIC, issue: open, play_type: '[1,2]', money: 100 }
      expect((await test.call(playOrder, order, player)).code).toBe(1)
      await owner.query('update games.house set stopped = true')
    })
    const bets = (await test.call(orderList, {}, player)).data
    expect(bets).toMatchObject([{ issue, status: 1, profit: '-8.00', whether_hit: 1 }])
    expect((await test.call(heart, BASIC, player)).data).toMatchObject({
      game_status: 3,
      user_quantity: { money: '992.00' },
    })
    await expectAlwaysTrue(owner)
  })
})

it('the list of stops says since when betting is stopped because the clocks disagree', async () => {
  const { db } = await createTestDatabase()
  const shown = async () =>
    stopState(await catalogReader(db)(), {
      stops: await stopsNow(db),
      clocksApartSince: await clocksApartSince(db),
    })
  expect(await shown()).toMatchObject({ stopped: false, stop: null, clocks_apart_since: null })
  await setClocksApart(db, true)
  const [{ now } = { now: 0 }] = await db.query<{ now: number }>('select app.now() as now')
  const { clocks_apart_since: since, ...apart } = await shown()
  expect(apart).toMatchObject({ stopped: true, stop: null })
  expect(since).toBeGreaterThan(0)
  expect(since).toBeLessThanOrEqual(now / 1000)
})
