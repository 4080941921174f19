import { expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { balanceReader } from './wallet-store.ts'

it('simultaneous callers each get their own balance, by one statement', async () => {
  const database = await createTestDatabase()
  const [rich, poor] = [await addPlayer(database), await addPlayer(database, { u: 0 })]
  let statements = 0
  const read = balanceReader({
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
