/** By what a client knows which of two balances is later, and that a list has more rows than it got. */
import { quantityLogList, withdrawAction } from '@sum28/contract/money-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { memberWithMoney, TEST_CODE } from '#testing/people/cashier.ts'
import { deposit, useWorkersApi } from '#testing/product/test-app.ts'

const test = useWorkersApi()

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
