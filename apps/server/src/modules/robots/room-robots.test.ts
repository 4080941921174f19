/** How many robots a room has, and how they get their seats. Where they run: jobs/robot-driver.test.ts. */
import { robots, setRobots as setRobotsRoute } from '@sum28/contract/staff-house-routes.ts'
import { expect, it } from 'vitest'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffSession, staffToken } from '#testing/people/staff.ts'
import { answerTo, useWorkersApi } from '#testing/product/test-app.ts'
import { robotsModule } from './module.ts'
import { allRobots, recruit, seatDemoRobots, setRobots } from './robot-store.ts'

async function rooms() {
  const database = await createTestDatabase()
  await database.owner.query('update games.room set robots = 0')
  return {
    database,
    db: database.db,
    /** The number of robots of each room of the first game, by the room's type. */
    numbers: () =>
      database.owner.column<number>(
        'select robots from games.room where game_id = 1 order by type',
      ),
  }
}

it('of two that set the number at once the second is told that of the first', async () => {
  const { database, db, numbers } = await rooms()
  const session = await staffToken(database)
  const second = await answerAfter(database, {
    first: async (tx) => expect(await setRobots(tx, { roomId: 11, robots: 3, session })).toBe(0),
    second: () => setRobots(db, { roomId: 11, robots: 50, session }),
  })
  expect(second).toBe(3)
  expect(await numbers()).toEqual([50, 0, 0, 0])
})

it('the demo gives each room without robots the number of its type, once', async () => {
  const { database, db, numbers } = await rooms()
  const at = Date.UTC(2026, 10, 20)
  await database.freezeClock(at)
  await database.owner.query('update games.room set robots = 9 where id = 12')
  expect(await seatDemoRobots(db, [6, 4, 3, 2])).toBe(true)
  expect(await numbers()).toEqual([6, 9, 3, 2])
  await database.owner.query('update games.room set robots = 0 where id = 13')
  expect(await seatDemoRobots(db, [6, 4, 3, 2])).toBe(false)
  expect(await numbers()).toEqual([6, 9, 0, 2])
  expect(await database.owner.query('select robots_seated_at from games.house')).toEqual([
    { robots_seated_at: at },
  ])
})

it('a robot gets a seat only if its name and its seat are free, is otherwise not made, and stays a robot', async () => {
  const { database, db } = await rooms()
  const seat = { roomId: 11, seat: 1, username: 'first' }
  expect(await recruit(db, seat)).toBe(true)
  expect(await recruit(db, { ...seat, username: 'second' })).toBe(false)
  expect(await recruit(db, { ...seat, seat: 2 })).toBe(false)
  expect(await recruit(db, { ...seat, seat: 2, username: 'third' })).toBe(true)
  expect(await allRobots(db)).toMatchObject([
    { roomId: 11, seat: 1 },
    { roomId: 11, seat: 2 },
  ])
  const players = await database.owner.query(
    'select username, kind from accounts.player order by id',
  )
  expect(players).toEqual([
    { username: 'first', kind: 'robot' },
    { username: 'third', kind: 'robot' },
  ])
  const change = database.owner.query(`update accounts.player set kind = 'person'`)
  await expect(change).rejects.toThrow('UPDATE of accounts.player is refused')
})

const test = useWorkersApi()

it('the robots of a room do not exist in production, and cannot be set if they are switched off', async () => {
  const owner = await staffSession(test)
  expect((await test.call(robots, {}, owner)).data).toMatchObject({ on: false })
  const set = (robots: number) =>
    answerTo(test.call(setRobotsRoute, { plan_id: 11, robots }, owner))
  expect([await set(50), await set(0)]).toEqual(['robots_off', 'done'])

  const { db } = await createTestDatabase()
  const config = { ...test.config, profile: 'production', robots: true } as const
  await robotsModule({ db, config, catalog: catalogReader(db), roundChanged() {} })
  expect(await db.query('select distinct robots from games.room')).toEqual([{ robots: 0 }])
})
