/**
 * Goal: an approval acts once. Method: 100 withdrawals, each approved twice at the same time, by two people, over
 * HTTP; then payouts are counted in the journal.
 */
import { approveWithdrawal } from '@sum28/contract/staff-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { staffSession } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'

const WITHDRAWALS = 100
/** How many are sent at once: a slow machine would refuse a thousand simultaneous connections. */
const LANES = 50

const app = useWorkersApp()

it('pays 100 withdrawals once each when every approval is sent twice at once', async () => {
  const test = app()
  const { owner, db } = test.database
  const people = [await staffSession(test, 'owner'), await staffSession(test, 'finance')]
  const ids: number[] = []
  for (let at = 0; at < WITHDRAWALS; at++) {
    const playerId = await addPlayer(test.database, { u: 300 })
    const [made] = await db.query<{ id: bigint }>(
      `select withdrawal_id as id from withdrawals.request($1, $2, 120000000, '2026-11-20', null, null)`,
      [playerId, await addPayMethod(test.database, playerId)],
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
  const paid = await owner.query(
    `select withdrawal.state, posting.amount = 120000000 as whole, count(*) as postings
     from withdrawals.withdrawal join ledger.posting on holder_id = player_id
     where withdrawal.id = any ($1) and posting.kind = 'withdrawal_paid' group by 1, 2`,
    [ids],
  )
  expect(paid).toEqual([{ state: 'approved', whole: true, postings: BigInt(WITHDRAWALS) }])
  await expectAlwaysTrue(owner)
})
