/** How a client names the payee of a withdrawal, in every form of the wire. */
import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { memberWithMoney, TEST_CARD, TEST_CODE } from '#testing/people/cashier.ts'
import { staffSession } from '#testing/people/staff.ts'
import {
  expectSuccess,
  type TestApp,
  type TestMember,
  useWorkersApp,
} from '#testing/product/test-app.ts'

const test = useWorkersApp()
let names = 0

type Saver = TestMember & { wallet: number; card: number }

/** A member with money, a wallet and a card. */
async function saver(): Promise<Saver> {
  names += 1
  const member = await memberWithMoney(test, `saver_${names}`, 500)
  const card = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' } as const
  const saved = await test.call(setPayInfo, card, member)
  return { ...member, wallet: member.payId, card: saved.data.id }
}

/** Requests 100 u as a client would, with these fields in addition. */
const ask = (member: TestMember, fields: object, key?: string) =>
  test.post(
    '/api/user/withdrawAction',
    { money: '100', security_code: TEST_CODE, ...fields },
    { token: member.token, ...(key ? { 'Idempotency-Key': key } : {}) },
  )

/** Where the money of a request goes. */
async function paidTo({ database }: TestApp, { data }: { data: unknown }): Promise<number> {
  const { id } = data as { id: number }
  return database.owner.value<number>(
    'select pay_method_id as method from withdrawals.withdrawal where id = $1',
    [id],
  )
}

afterAll(() => expectAlwaysTrue(test.database.owner))

describe('withdrawAction', () => {
  let ann: Saver
  beforeAll(async () => {
    ann = await saver()
  })

  it.each<[object, 'wallet' | 'card']>([
    [{ type: 1 }, 'wallet'],
    [{ status: '0' }, 'wallet'],
    [{ type: '0', status: 1, pay_id: null }, 'card'],
    [{ type: 1, status: 0, pay_id: '$wallet' }, 'wallet'],
  ])('pays %j to the %s', async (fields, method) => {
    const id = 'pay_id' in fields && fields.pay_id ? { pay_id: ann.wallet } : {}
    const reply = await ask(ann, { ...fields, ...id })
    expect(await paidTo(test, reply)).toBe(ann[method])
    const rejection = { id: (reply.data as { id: number }).id, reason: 'A test' }
    await test.call(rejectWithdrawal, rejection, await staffSession(test))
  })

  it('refuses a type, a status and an id that contradict each other, and names the field', async () => {
    for (const [fields, field] of [
      [{ type: 0, status: '0' }, 'status'],
      [{ type: '1', status: 1 }, 'status'],
      [{ pay_id: ann.wallet, type: 0 }, 'pay_id'],
      [{ pay_id: ann.card, status: '0' }, 'pay_id'],
    ] as const) {
      expect(await ask(ann, fields), JSON.stringify(fields)).toMatchObject({
        data: { reason: 'invalid_input', fields: { [field]: expect.any(String) } },
      })
    }
  })

  it('treats a key as that of another request when anything but the code differs', async () => {
    const ann = await saver()
    const first = { type: 1, money: '100' }
    expectSuccess(await ask(ann, first, 'one'))
    const same = [
      { ...first },
      { type: '1', money: 100 },
      { status: '0', money: '100.00' },
      { ...first, pay_id: '' },
    ]
    for (const fields of same) {
      expect((await ask(ann, fields, 'one')).headers.get('idempotency-replayed')).toBe('true')
    }
    const another = [
      { ...first, money: '100.01' },
      { ...first, type: 0 },
      { pay_id: ann.wallet, money: '100' },
      { pay_id: ann.card, money: '100' },
      { pay_id: ann.wallet, type: 1, money: '100' },
    ]
    for (const fields of another) {
      expect(await ask(ann, fields, 'one'), JSON.stringify(fields)).toMatchObject({
        data: { reason: 'idempotency_conflict' },
      })
    }
  })
})
