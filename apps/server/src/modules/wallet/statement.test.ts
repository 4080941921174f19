import { quantityLogList } from '@sum28/contract/money-routes.ts'
import { confirmProposal, proposeAdjustment } from '@sum28/contract/staff-proposal-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffSession } from '#testing/people/staff.ts'
import { registerMember, useWorkersApp } from '#testing/product/test-app.ts'
import { balanceReader } from './wallet-store.ts'

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

it('simultaneous callers each get their own balance, by one statement', async () => {
  const database = await createTestDatabase()
  const [rich, poor] = [await addPlayer(database), await addPlayer(database, { u: 0 })]
  let statements = 0
  const read = balanceReader({
    ...database.db,
    query(text, values, options) {
      statements += 1
      return database.db.query(text, values, options)
    },
  })
  const balances = await Promise.all([rich, poor, rich].map(read))
  expect(balances.map(({ cash }) => cash)).toEqual([1_000_000_000n, 0n, 1_000_000_000n])
  expect(balances[0]?.version).toBeGreaterThan(0n)
  expect(balances[1]?.version).toBe(0n)
  expect(statements).toBe(1)
})

it('a player who does not exist has no balance, and that is an error', async () => {
  const { db } = await createTestDatabase()
  await expect(balanceReader(db)(999)).rejects.toThrow('player 999 has no wallet')
})
