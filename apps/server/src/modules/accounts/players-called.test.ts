/** Which players staff find by a number or a name. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

it('a player is found by his number and by his whole name in any case, and two if a name is a number', async () => {
  const database = await createTestDatabase()
  const ann = await addPlayer(database, { u: 0, name: 'Ann_Lee' })
  const ben = await addPlayer(database, { u: 0, name: 'ann_lee2' })
  const digits = await addPlayer(database, { u: 0, name: String(ann) })
  const called = async (typed: string) => {
    const rows = await database.db.query<{ found: number[] }>(
      'select accounts.players_called($1) as found',
      [typed],
    )
    return only(rows).found.toSorted((a, b) => a - b)
  }
  expect(await called(String(ben))).toEqual([ben])
  expect(await called(String(ann))).toEqual([ann, digits])
  for (const typed of ['Ann_Lee', 'ann_lee', 'ANN_LEE']) expect(await called(typed)).toEqual([ann])
  for (const typed of ['', 'ann', 'ann_le_', 'ann%', `${ben}x`, `-${ben}`, '9'.repeat(30)]) {
    expect(await called(typed)).toEqual([])
  }
})
