/** The explanation of a difference of chain and ledger. */
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { explainDifference, listChainDifferences } from '@sum28/contract/staff-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { expect, it } from 'vitest'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { shareTestApp } from '#testing/product/test-app.ts'

const test = shareTestApp()

async function addDifference(kind: string, txId: string, details: object): Promise<number> {
  return test.database.owner.value<number>(
    `insert into deposits.chain_difference (kind, tx_id, log_index, details, found_at)
     values ($1, $2, 0, $3, app.now() - interval '30 days') returning id::integer`,
    [kind, txId, JSON.stringify(details)],
  )
}

it('a difference is counted until a cashier explains it, however old it is', async () => {
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const differs = await addDifference('amount_differs', 'aa', {
    ...{ chain_amount: '1', recorded_amount: '2' },
  })
  const nowhere = await addDifference('missing_in_ledger', 'bb', { chain_amount: '1' })
  const due = async () =>
    (await test.call(listChainDifferences, { due: 'now' }, owner)).data.list.map(({ id }) => id)
  const counted = async () =>
    (await test.call(startNeeds, {}, owner)).data.needs.find(
      ({ need }) => need === 'differences_found',
    )?.count
  expect(await due()).toEqual([nowhere, differs])
  expect(await counted()).toBe(2)

  const explain = (id: number, who: typeof owner) =>
    test.call(explainDifference, { id, reason: 'A fee of the node' }, who)
  expect(await explain(differs, await addStaff(test, 'support'))).toMatchObject({ code: 403 })
  expect(await explain(differs, finance)).toMatchObject({ code: 1 })
  expect(await explain(differs, owner)).toMatchObject({
    data: { reason: 'already_decided', by: 'finance' },
  })
  // It is credited or dismissed.
  expect(await explain(nowhere, owner)).toMatchObject({ data: { reason: 'not_found' } })
  expect(await due()).toEqual([nowhere])
  expect(await counted()).toBe(1)
  const { data } = await test.call(listChainDifferences, {}, owner)
  expect(data.list).toMatchObject([
    { id: nowhere, to_explain: false, explanation: null },
    { id: differs, to_explain: false, explanation: 'A fee of the node', explained_by: 'finance' },
  ])
  const { data: log } = await test.call(listAuditRows, { limit: 1 }, owner)
  expect(log.list).toMatchObject([
    {
      ...{ action: 'difference_explained', staff: 'finance', subject: `difference:${differs}` },
      details: { reason: 'A fee of the node' },
    },
  ])
})
