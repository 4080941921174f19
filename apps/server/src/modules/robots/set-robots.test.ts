/** Robots of a room, seen and set by staff. */
import { lobby } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { robots, setRobots } from '@sum28/contract/staff-house-routes.ts'
import { describe, expect, it } from 'vitest'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { openIssueFor } from '#testing/product/play-round.ts'
import {
  createTestApp,
  eventually,
  type TestApp,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { robotsModule } from './module.ts'

async function betsOf(test: TestApp, roomId: number): Promise<number> {
  return test.database.owner.value<number>(
    'select count(*)::integer as count from bets.bet where room_id = $1',
    [roomId],
  )
}

/** Passes most of a new round: the moments of its robots have come. */
async function moveOn(test: TestApp): Promise<void> {
  await openIssueFor(test, 175)
  await test.database.shiftClock(160_000)
  // They bet at once then.
  await new Promise((later) => setTimeout(later, 300))
}

describe('the robots of a room', () => {
  const withoutRobots = useWorkersApp()

  it('are switched off and on and numbered by the owner, which is audited', async () => {
    const test = await createTestApp({ ROBOTS: 'on' })
    const owner = await staffSession(test)
    const { data: begun } = await test.call(robots, {}, owner)
    expect(begun).toMatchObject({ on: true, rooms: expect.arrayContaining([]) })
    expect(begun.rooms).toHaveLength(16)
    expect(begun.rooms[0]).toEqual({ id: 11, game_id: 1, title: 'Basic', type: 0, robots: 6 })
    await eventually(async () => {
      await moveOn(test)
      return (await betsOf(test, 11)) > 0 || undefined
    })

    const { data: off } = await test.call(setRobots, { plan_id: 11, robots: 0 }, owner)
    expect(off.rooms[0]).toMatchObject({ id: 11, robots: 0 })
    const { gameList } = (await test.call(lobby, { game_id: 1 })).data
    expect(gameList[0]?.planList[0]).toMatchObject({ id: 11, robot_num: 0 })
    // Those that were being placed at that moment have come when their round has ended.
    await openIssueFor(test, 175)
    const [bets, ofOthers] = await Promise.all([betsOf(test, 11), betsOf(test, 12)])
    await eventually(async () => {
      await moveOn(test)
      return (await betsOf(test, 12)) > ofOthers || undefined
    })
    expect(await betsOf(test, 11)).toBe(bets)

    await test.call(setRobots, { plan_id: 11, robots: 3 }, owner)
    await eventually(async () => {
      await moveOn(test)
      return (await betsOf(test, 11)) > bets || undefined
    })
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
    expect(log.list).toMatchObject([
      {
        action: 'robots_set',
        staff: 'owner',
        subject: 'room:11',
        details: { before: 0, after: 3 },
      },
      { action: 'robots_set', subject: 'room:11', details: { before: 6, after: 0 } },
    ])
    await expectAlwaysTrue(test.database.owner)

    // The database's own refusals: room-robots.test.ts.
    const set = async (ask: { plan_id: number; robots: number }, by = owner) =>
      await test.call(setRobots, ask, by)
    for (const wrong of [-1, 51, 1.5, 'many' as never, null as never]) {
      expect((await set({ plan_id: 11, robots: wrong })).data as unknown).toMatchObject({
        ...{ reason: 'invalid_input', fields: { robots: expect.any(String) } },
      })
    }
    expect(await set({ plan_id: 99, robots: 1 })).toMatchObject({
      ...{ http: 404, data: { reason: 'not_found', field: 'plan_id' } },
    })
    const person = await addStaff(test, 'finance')
    expect(await test.call(robots, {}, person)).toMatchObject({ code: 1 })
    expect(await set({ plan_id: 11, robots: 1 }, person)).toMatchObject({ code: 403 })
  })

  it('do not exist in production, and cannot be set if they are switched off', async () => {
    const test = withoutRobots
    const owner = await staffSession(test)
    expect((await test.call(robots, {}, owner)).data).toMatchObject({ on: false })
    expect(await test.call(setRobots, { plan_id: 11, robots: 1 }, owner)).toMatchObject({
      code: 0,
      data: { reason: 'robots_off' },
    })
    expect(await test.call(setRobots, { plan_id: 11, robots: 0 }, owner)).toMatchObject({ code: 1 })

    const { db } = await createTestDatabase()
    const config = { ...test.config, profile: 'production', robots: true } as const
    await robotsModule({ db, config, catalog: catalogReader(db), roundChanged() {} })
    expect(await db.query('select distinct robots from games.room')).toEqual([{ robots: 0 }])
  })
})
