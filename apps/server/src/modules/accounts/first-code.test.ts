/** The first security code of a member whose client knows no proof. */
import { setSafety } from '@sum28/contract/money-routes.ts'
import { login, refresh } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { TEST_CODE } from '#testing/people/cashier.ts'
import { registerMember, TEST_PASSWORD, useWorkersApi } from '#testing/product/test-app.ts'

const test = useWorkersApi()

it('is set a moment after a sign-in by password, and not later or after that of a remembered device', async () => {
  const ann = await registerMember(test, 'first_ann')
  const set = async (token: string, code = TEST_CODE) =>
    (await test.call(setSafety, { new_code: code }, { token })).data
  const unproved = { reason: 'proof_required' }

  await test.database.shiftClock(5 * 60_000 + 1)
  expect(await set(ann.token)).toMatchObject(unproved)
  const signIn = { account: 'first_ann', password: TEST_PASSWORD, remember: true }
  const signedIn = await test.call(login, signIn)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const recalled = await test.call(refresh, {}, { headers: { cookie } })
  expect(await set(recalled.data.userinfo.token)).toMatchObject(unproved)
  const { token } = signedIn.data.userinfo
  expect(await set(token, '111111')).toMatchObject({ reason: 'security_code_common' })
  expect(await set(token)).toBe(null)
})
