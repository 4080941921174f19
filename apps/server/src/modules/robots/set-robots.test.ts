/** Robots of a room, as staff see and set them where none run. Where they do: jobs/robot-driver.test.ts. */
import { robots, setRobots } from '@sum28/contract/staff-house-routes.ts'
import { expect, it } from 'vitest'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffSession } from '#testing/people/staff.ts'
import { useWorkersApi } from '#testing/product/test-app.ts'
import { robotsModule } from './module.ts'

const test = useWorkersApi()

it('the robots of a room do not exist in production, and cannot be set if they are switched off', async () => {
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
