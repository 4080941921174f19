/** How a client names the payee of a withdrawal, in every form of the wire. */
import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { memberWithMoney, TEST_CARD, TEST_CODE } from '#testing/people/cashier.ts'
import { staffSession } from '#testing/people/staff.ts'
import { expectSuccess, newName, useWorkersApp } from '#testing/product/test-app.ts'

const test = useWorkersApp()

describe('withdrawAction', () => {
  let ann: Awaited<ReturnType<typeof memberWithMoney>>
  let card: number
  beforeAll(async () => {
    ann = await memberWithMoney(test, newName(), 500)
    const method = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Hanoi' } as const
    card = (await test.call(setPayInfo, method, ann)).data.id
  })

  /** Requests 100 u as a client would, with these fields in addition. */
  const ask = (fields: object, key?: string) =>
    test.post(
      '/api/user/withdrawAction',
      { money: '100', security_code: TEST_CODE, ...fields },
      { token: ann.token, ...(key && { 'Idempotency-Key': key }) },
    )

  it('pays to the method that type, status and id name, each as a number or a text', async () => {
    const wallet = ann.payId
    const staff = await staffSession(test)
    for (const [fields, method] of [
      [{ type: 1 }, wallet],
      [{ status: '0' }, wallet],
      [{ type: '0', status: 1, pay_id: null }, card],
      [{ type: 1, status: 0, pay_id: wallet }, wallet],
    ] as const) {
      const { id } = (await ask(fields)).data as { id: number }
      const paidTo = 'select pay_method_id from withdrawals.withdrawal where id = $1'
      expect(await test.database.owner.value(paidTo, [id]), JSON.stringify(fields)).toBe(method)
      expectSuccess(await test.call(rejectWithdrawal, { id, reason: 'A test' }, staff))
    }
  })

  it('refuses a type, a status and an id that contradict each other, and names the field', async () => {
    for (const [fields, field] of [
      [{ type: 0, status: '0' }, 'status'],
      [{ type: '1', status: 1 }, 'status'],
      [{ pay_id: ann.payId, type: 0 }, 'pay_id'],
      [{ pay_id: card, status: '0' }, 'pay_id'],
    ] as const) {
      expect(await ask(fields), JSON.stringify(fields)).toMatchObject({
        data: { reason: 'invalid_input', fields: { [field]: expect.any(String) } },
      })
    }
  })

  it('treats a key as that of another request when anything but the code differs', async () => {
    const first = { type: 1, money: '100' }
    expectSuccess(await ask(first, 'one'))
    for (const same of [
      first,
      { type: '1', money: 100 },
      { status: '0', money: '100.00' },
      { ...first, pay_id: '' },
    ]) {
      expect((await ask(same, 'one')).headers.get('idempotency-replayed')).toBe('true')
    }
    for (const other of [
      { ...first, money: '100.01' },
      { ...first, type: 0 },
      { pay_id: ann.payId, money: '100' },
      { pay_id: card, money: '100' },
      { pay_id: ann.payId, type: 1, money: '100' },
    ]) {
      expect(await ask(other, 'one'), JSON.stringify(other)).toMatchObject({
        data: { reason: 'idempotency_conflict' },
      })
    }
  })
})
