import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { saveProfile } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { payMethodsOf } from '#src/modules/withdrawals/pay-method-store.ts'
import { openNumber } from '#src/modules/withdrawals/pay-methods.ts'
import { sealer } from '#src/sealer.ts'
import { TEST_CARD } from '#testing/cashier.ts'
import { createTestApp, registerMember } from '#testing/test-app.ts'
import { resealNumbers } from './reseal-numbers.ts'

const OLD_KEY = 'the key of last year, of more than 32 characters'
const NEW_KEY = 'the key of this year, of more than 32 characters'

const keysInUse = (test: Awaited<ReturnType<typeof createTestApp>>) =>
  test.database.owner.query<{ key_id: string }>(
    `select key_id from withdrawals.pay_method union select key_id from accounts.document
     union select totp_key_id from staff.member`,
  )

describe('numbers at rest', () => {
  it('are in no column as they were given, and open with the key that sealed them alone', async () => {
    const test = await createTestApp({ SECRET_KEY: OLD_KEY })
    const ann = await registerMember(test, 'ann_lee')
    const card = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' }
    expect((await test.call(setPayInfo, card, ann)).data.acc_name).toBe('•••• 4242')
    const saved = await test.call(saveProfile, { idcard: 'C01X00T478' }, ann)
    expect(saved.data.idcard).toBe('••••T478')
    const everything = JSON.stringify(
      await test.database.owner.query(
        `select pay_method::text from withdrawals.pay_method
         union all select document::text from accounts.document`,
      ),
    )
    expect(everything).not.toMatch(/4242424242|C01X00T478/)
    const [method] = await payMethodsOf(test.app.db, ann.id)
    if (!method) throw new Error('a card was saved')
    expect(openNumber(sealer(OLD_KEY), ann.id, method)).toBe('4242424242424242')
    expect(() => openNumber(sealer(NEW_KEY), ann.id, method)).toThrow(/SECRET_KEY_PREVIOUS/)
    expect(() => openNumber(sealer(OLD_KEY), ann.id + 1, method)).toThrow()
  })

  it('are sealed anew when the key has changed, and then need the earlier key no more', async () => {
    const test = await createTestApp({ SECRET_KEY: OLD_KEY })
    const ann = await registerMember(test, 'ann_lee')
    const card = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' }
    await test.call(setPayInfo, card, ann)
    await test.call(saveProfile, { idcard: 'C01X00T478' }, ann)
    const { db } = test.app
    // A card, a document, and the secrets of the demo's two people.
    expect(await resealNumbers({ db, sealer: sealer(NEW_KEY, [OLD_KEY]) })).toBe(4)
    expect(await keysInUse(test)).toEqual([{ key_id: sealer(NEW_KEY).keyId }])
    const [method] = await payMethodsOf(db, ann.id)
    if (!method) throw new Error('a card was saved')
    expect(openNumber(sealer(NEW_KEY), ann.id, method)).toBe('4242424242424242')
    expect(await resealNumbers({ db, sealer: sealer(NEW_KEY) })).toBe(0)
  })
})
