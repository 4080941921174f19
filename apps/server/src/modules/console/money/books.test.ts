/** The trial balance: of any day, balanced, the same with marks and without. */
import {
  chainAgainstBooks,
  trialBalance as trialBalanceRoute,
} from '@sum28/contract/staff-books-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addStaff } from '#testing/people/staff.ts'
import { FIRST_ROUND } from '#testing/product/play-round.ts'
import { depositByChain, registerMember, shareTestApp } from '#testing/product/test-app.ts'
import { booksRoutes, snapshotBalances, trialBalance } from './books-routes.ts'

const HOUR = 3_600_000
const AT = Date.UTC(2026, 10, 20)

it('a day ends where it ends in the operator’s zone, and a later posting does not change it', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await database.freezeClock(AT)
  const player = await addPlayer(database, { u: 100 })
  const stake = (u: number, reference: string) =>
    owner.query(
      `select wallet.move('stake', array[row($1, '2026-11-20', $2, $3)::wallet.movement])`,
      [player, BigInt(u) * MICRO, reference],
    )
  await database.freezeClock(AT + HOUR)
  await stake(30, 'a')
  const cashAt = async (until: number) =>
    (await trialBalance(db, until))
      .filter(({ account }) => account === 'cash')
      .reduce((sum, { debit, credit }) => sum + debit - credit, 0n)
  expect(await cashAt(AT + HOUR)).toBe(100n * MICRO)
  expect(await cashAt(AT + HOUR + 1)).toBe(70n * MICRO)
  expect(await cashAt(AT)).toBe(0n)
  await database.freezeClock(AT + 40 * 24 * HOUR)
  await snapshotBalances(db)
  const marks = await db.query<{ at: number }>(
    'select distinct at from console_money.balance_snapshot order by at',
  )
  // Each day since the first posting, and until an hour before now.
  expect(marks.map(({ at }) => at)).toEqual([
    ...Array.from({ length: 39 }, (_, day) => AT + (day + 1) * 24 * HOUR),
    AT + 40 * 24 * HOUR - HOUR,
  ])
  await stake(5, 'b')
  expect(await cashAt(AT + HOUR)).toBe(100n * MICRO)
  expect(await cashAt(AT + 35 * 24 * HOUR)).toBe(70n * MICRO)
  expect(await cashAt(AT + 41 * 24 * HOUR)).toBe(65n * MICRO)
  await expectAlwaysTrue(owner)
})

const app = shareTestApp()

it('readers see the balance of a day and the comparison of chain and ledger, and no future day', async () => {
  const test = app()
  const auditor = await addStaff(test, 'auditor')
  const member = await registerMember(test, 'books_ann')
  await depositByChain(test, member, 25)
  const { data } = await test.call(trialBalanceRoute, {}, auditor)
  expect(data.debit).toBe(data.credit)
  const of = (name: string) => data.list.find(({ account }) => account === name)
  expect(of('cash')?.balance).toBe('25.00')
  expect(of('house:treasury')).toMatchObject({
    ...{ balance: '-25.00', debit: '0.00', credit: '25.00' },
    kinds: [{ kind: 'deposit', debit: '0.00', credit: '25.00' }],
  })
  expect((await test.call(chainAgainstBooks, {}, auditor)).data).toMatchObject({
    ...{ received: '25.00', matched: '25.00', unmatched: '0.00' },
    ...{ booked: '25.00', difference: '0.00', differences: 0 },
  })
  expect((await test.call(trialBalanceRoute, { day: '2020-01-01' }, auditor)).data).toMatchObject({
    ...{ list: [], debit: '0.00', credit: '0.00' },
  })
  expect(await test.call(trialBalanceRoute, { day: '2999-01-01' }, auditor)).toMatchObject({
    code: 400,
  })
  expect(await test.call(trialBalanceRoute, { day: 'x' }, auditor)).toMatchObject({ code: 400 })
  const editor = await addStaff(test, 'editor')
  expect(await test.call(trialBalanceRoute, {}, editor)).toMatchObject({ code: 403 })
})

it('a deposit that is credited while staff read causes no difference between the chain and the books', async () => {
  const test = app()
  const member = await registerMember(test, 'books_bob')
  await depositByChain(test, member, 7)
  const { db } = test.database
  // After each statement of the reader a deposit is credited, and the next statement waits for it.
  let before: Promise<unknown> = Promise.resolve()
  const read = (...parameters: Parameters<Database['query']>) => {
    const rows = before.then(() => db.query(...parameters))
    before = rows.then(() => depositByChain(test, member, 7))
    return rows
  }
  const slow = { ...db, query: read as Database['query'] }
  const now = () => FIRST_ROUND
  const routes = booksRoutes({ db: slow, timeZone: 'UTC', now })
  const compare = routes.find(({ route }) => route.path === chainAgainstBooks.path)
  const comparison = await compare?.handle({ input: {} } as never)
  await before
  expect(comparison).toMatchObject({ matched: '32.00', booked: '32.00', difference: '0.00' })
})
