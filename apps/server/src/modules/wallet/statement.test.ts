import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { confirmProposal, proposeAdjustment } from '@sum28/contract/staff-proposal-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { staffSession } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'

const app = useWorkersApp()

it('a bonus is a movement of type 4, from the house to the player', async () => {
  const test = app()
  const ann = await registerMember(test)
  const made = await test.call(
    proposeAdjustment,
    { user_id: ann.id, kind: 'bonus', money: '5', reason: 'A gift' },
    await staffSession(test, 'finance'),
  )
  await test.call(confirmProposal, made.data, await staffSession(test))
  expect((await test.call(quantityLogList, { type: 4 }, ann)).data).toMatchObject([
    { type: 4, mark: 'Bonus: A gift', status: 1, quantity: '5.00', over: '5.00' },
  ])
  expect((await test.call(quantityLogList, { type: 0 }, ann)).data).toEqual([])
  await expectAlwaysTrue(test.database.owner)
})
