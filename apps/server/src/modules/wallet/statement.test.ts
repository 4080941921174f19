import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { createTestApp, registerMember } from '#testing/test-app.ts'

it('a bonus is a movement of type 4, from the house to the player', async () => {
  const test = await createTestApp()
  const ann = await registerMember(test, 'ann_lee')
  await test.database.owner.query(
    `select ledger.post(array[row($1, current_date, 'bonus', 'house:bonus', 'cash', 5000000, 'a')::ledger.posting_request])`,
    [ann.id],
  )
  expect((await test.call(quantityLogList, { type: 4 }, ann)).data).toMatchObject([
    { type: 4, mark: 'Bonus', status: 1, quantity: '5.00', over: '5.00' },
  ])
  expect((await test.call(quantityLogList, { type: 0 }, ann)).data).toEqual([])
  await expectAlwaysTrue(test.database.owner)
})
