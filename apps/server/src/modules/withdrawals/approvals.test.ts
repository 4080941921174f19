/**
 * Goal: an approval acts once. Method: 100 withdrawals, each approved twice at the same time, by two people, over
 * HTTP; then payouts are counted in the journal.
 */
import { approveWithdrawal } from '@sum28/contract/staff-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { TEST_WALLET } from '#testing/people/cashier.ts'
import { staffSession } from '#testing/people/staff.ts'
import { createTestApp } from '#testing/product/test-app.ts'

const WITHDRAWALS = 100
/** How many are sent at once: a slow machine would refuse a thousand simultaneous connections. */
const LANES = 50

it('pays 100 withdrawals once each when every approval is sent twice at once', async () => {
  const test = await createTestApp()
  const { owner, db } = test.database
  const people = [await staffSession(test, 'owner'), await staffSession(test, 'finance')]
  const ids: number[] = []
  for (let at = 0; at < WITHDRAWALS; at++) {
    const playerId = await addPlayer(test.database, { u: 300 })
    const [method] = await db.query<{ id: number }>(
      `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'bank', 'sealed', $2, 'test', 'TRC20') returning id`,
      [playerId, TEST_WALLET],
    )
    const [made] = await db.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 120000000, '2026-11-20', null, null)`,
      [playerId, method?.id],
    )
    ids.push(Number(made?.id))
  }

  const waiting = ids.values()
  const replies: Awaited<ReturnType<typeof test.call<typeof approveWithdrawal>>>[] = []
  const lane = async () => {
    for (const id of waiting) {
      const both = people.map((who) => test.call(approveWithdrawal, { id }, who))
      replies.push(...(await Promise.all(both)))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  expect(replies.filter(({ code }) => code === 1)).toHaveLength(WITHDRAWALS)
  const refused = replies.filter(({ code }) => code !== 1)
  expect(
    new Set(refused.map(({ data }) => (data as unknown as { reason: string }).reason)),
  ).toEqual(new Set(['already_decided']))
  const [paid] = await owner.query<{ postings: bigint; amount: bigint }>(
    `select count(*) as postings, sum(amount)::bigint as amount from ledger.posting
     where kind = 'withdrawal_paid'`,
  )
  expect(paid).toEqual({
    postings: BigInt(WITHDRAWALS),
    amount: 120_000_000n * BigInt(WITHDRAWALS),
  })
  const states = await owner.query(`select distinct state from withdrawals.withdrawal`)
  expect(states).toEqual([{ state: 'approved' }])
  await expectAlwaysTrue(owner)
})
