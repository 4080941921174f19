/** When the balances are stored as marks: six hours after the last one, by one process at a time. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const HOUR = 3_600_000
const AT = Date.UTC(2026, 10, 20)

async function mark({ db }: TestDatabase): Promise<boolean> {
  const rows = await db.query<{ marked: boolean }>(
    'select console_money.snapshot_balances() as marked',
  )
  return only(rows).marked
}

async function marks({ owner }: TestDatabase): Promise<number[]> {
  const rows = await owner.query<{ at: number }>(
    'select distinct at from console_money.balance_snapshot order by at',
  )
  return rows.map(({ at }) => at)
}

it('a mark is stored exactly six hours after the last one, and not an hour earlier', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  await addPlayer(database)
  // The last hour is left out.
  await database.freezeClock(AT + 2 * HOUR)
  expect(await mark(database)).toBe(true)
  await database.freezeClock(AT + 7 * HOUR)
  expect(await mark(database)).toBe(false)
  await database.freezeClock(AT + 8 * HOUR)
  expect(await mark(database)).toBe(true)
  expect(await marks(database)).toEqual([AT + HOUR, AT + 7 * HOUR])
})

it('a mark is left to the process that is storing it', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  await addPlayer(database)
  await database.freezeClock(AT + 2 * HOUR)
  await database.owner.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('console_money.snapshot_balances'))`)
    expect(await mark(database)).toBe(false)
  })
  expect(await marks(database)).toEqual([])
  expect(await mark(database)).toBe(true)
})
