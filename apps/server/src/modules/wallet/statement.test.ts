import { quantityLogList, withdrawAction } from '@sum28/contract/money-routes.ts'
import { confirmProposal, proposeAdjustment } from '@sum28/contract/staff-proposal-routes.ts'
import { recordBankDeposit } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { callFunction, type Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, takeDeposit } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod, askWithdrawal } from '#testing/people/cash-desk.ts'
import { memberWithMoney, TEST_CODE } from '#testing/people/cashier.ts'
import { staffSession, staffToken } from '#testing/people/staff.ts'
import { deposit, expectSuccess, registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { statementOf } from './wallet-store.ts'

const DAY_MS = 86_400_000

const test = useWorkersApi()

it('a bonus is a movement of type 4, from the house to the player', async () => {
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

it('a held deposit is a movement of type 0 when it is credited', async () => {
  const { database } = test
  const ann = await registerMember(test)
  const review = (under: boolean) =>
    database.owner.query('update protection.player set under_review = $2 where player_id = $1', [
      ann.id,
      under,
    ])
  await review(true)
  const transfer = { playerId: ann.id, micro: 7_000_000n, reference: `test:${ann.id}` }
  await takeDeposit(database.owner, { ...transfer, from: 'T' })
  const paid = { user_id: ann.id, money: '3', reference: `paper ${ann.id}` }
  const made = await test.call(recordBankDeposit, paid, await staffSession(test, 'finance'))
  expectSuccess(await test.call(confirmProposal, made.data, await staffSession(test)))
  expect((await test.call(quantityLogList, {}, ann)).data).toEqual([])
  await review(false)
  await database.owner.query('select protection.release_deposits(10, app.now()::date)')
  expect((await test.call(quantityLogList, { type: 0 }, ann)).data).toMatchObject([
    { type: 0, mark: 'Bank deposit', status: 1, quantity: '3.00', over: '10.00' },
    { type: 0, mark: 'USDT deposit', status: 1, quantity: '7.00', over: '7.00' },
  ])
  await expectAlwaysTrue(database.owner)
})

it('a withdrawal that returns is a movement of the day of its return, however long it waited', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const noon = Date.UTC(2026, 10, 20, 12)
  const now = noon + 40 * DAY_MS
  await database.freezeClock(noon)
  const player = await addPlayer(database, { u: 500 })
  const to = await addPayMethod(database, player)
  const asked = await askWithdrawal(owner, { playerId: player, to, u: 20n })
  await database.freezeClock(now)
  const by = await staffToken(database, { role: 'finance' })
  await callFunction(database.db, 'withdrawals.reject', asked, by, 'too late')
  const today = { from: now - DAY_MS, until: now + DAY_MS, limit: 20, offset: 0 }
  const kinds = ['stake', 'deposit', 'withdrawal', 'withdrawal_released']
  expect(await statementOf(database.db, { playerId: player, kinds, ...today })).toMatchObject({
    rows: [{ kind: 'withdrawal_released', change: 20_000_000n, cashAfter: 500_000_000n }],
    total: 1,
  })
  await expectAlwaysTrue(owner)
})

/** How many rows of the journal a piece of work reads, by plans that are kept for all values. */
async function postingsRead(tx: Transaction, work: () => Promise<unknown>): Promise<number> {
  const counted = () =>
    tx.value<number>(
      `select sum(seq_tup_read + idx_tup_fetch)::integer from pg_stat_xact_user_tables
       where schemaname = 'ledger' and relname like 'posting%'`,
    )
  await tx.query('set local plan_cache_mode = force_generic_plan')
  const before = await counted()
  await work()
  return (await counted()) - before
}

it('a later page reads the stakes of its own payouts alone, and the other kinds none of the bets', async () => {
  const database = await createTestDatabase()
  const [beginAt, bets] = [Date.UTC(2026, 10, 20), 400]
  const player = await addPlayer(database, { u: 0 })
  await database.owner.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `insert into ledger.posting (holder_id, id, booked_on, posted_at, kind, source, destination, amount, cash_after,
         held_after, reference)
       select $1, nextval('ledger.posting_id'), '2026-11-20', $2::timestamptz + n * interval '1 minute', kind, source,
         destination, 1000000, 0, 0, 'bet:' || n
       from generate_series(1, $3::integer) n
       cross join (values ('stake', 'cash', 'house:game'), ('payout', 'house:game', 'cash')) moved (kind, source, destination)`,
      [player, new Date(beginAt), bets],
    )
  })
  await database.owner.query('analyze ledger.posting')
  const readBy = (kinds: string[], offset: number) =>
    database.db.transaction(async (tx) => {
      const span = { from: beginAt, until: beginAt + DAY_MS, limit: 10, offset }
      let rows = 0
      const read = await postingsRead(tx, async () => {
        rows = (await statementOf(tx, { playerId: player, kinds, ...span })).rows.length
      })
      return { rows, read }
    })
  // All postings of the day once, from which the page is chosen, and a stake for each of its rows.
  expect(await readBy(['payout'], bets - 20)).toEqual({ rows: 10, read: 2 * bets + 10 })
  expect(await readBy(['deposit'], 0)).toEqual({ rows: 0, read: 0 })
})

it('a withdrawal answers the version of its balance, also when it is repeated later', async () => {
  const member = await memberWithMoney(test, 'later_ann', 500)
  const request = { pay_id: member.payId, money: '100', security_code: TEST_CODE }
  const ask = () => test.call(withdrawAction, request, { token: member.token, key: 'later' })
  const versionNow = async () => (await test.call(userInfo, {}, member)).data.version
  const { version } = (await ask()).data
  expect(version).toBe(await versionNow())
  await deposit(test, member, 5)
  expect((await ask()).data).toMatchObject({ after_quantity: '400.00', version })
  expect(BigInt(await versionNow())).toBeGreaterThan(BigInt(version))
})

it('a list without a page that has not all rows says how many there are', async () => {
  const member = await memberWithMoney(test, 'more_ann', 500)
  await deposit(test, member, 5)
  const listed = async (limit: number) => {
    const reply = await test.call(quantityLogList, { limit }, member)
    return { rows: (reply.data as unknown[]).length, total: reply.headers.get('x-total-count') }
  }
  expect(await listed(1)).toEqual({ rows: 1, total: '2' })
  expect(await listed(2)).toEqual({ rows: 2, total: null })
})
