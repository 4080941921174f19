/** Freezing an account by a call of staff: what its player can still do, and his money. */
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { withdrawAction } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  freezeAccount,
  listFrozenAccounts,
  unfreezeAccount,
} from '@sum28/contract/staff-house-routes.ts'
import { login, orderList, refresh, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { memberWithMoney, TEST_CODE } from '#testing/people/cashier.ts'
import { staffSession } from '#testing/people/staff.ts'
import { moveToDraw, moveToSeal, openIssueFor } from '#testing/product/play-round.ts'
import {
  eventually,
  expectSuccess,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { openStream } from '#testing/requests/stream-client.ts'

const test = useWorkersApp()

const ROOM = { plan_id: 11, game_id: 1 }
const REASON = 'two accounts of one person'

describe('a frozen account', () => {
  it('is signed out everywhere, may do nothing, keeps its money, and can sign in after the freeze', async () => {
    const ann = await memberWithMoney(test, 'frozen_ann', 1_000)
    const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
    const signIn = () =>
      test.call(login, { account: 'frozen_ann', password: TEST_PASSWORD, remember: true })
    const device = await signIn()
    const cookie = device.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toContain('remember=')
    const issue = await openIssueFor(test, 60)
    const order = { ...ROOM, issue, play_type: '[1,2]', money: 100 }
    expectSuccess(await test.call(playOrder, order, ann))
    const stream = await openStream(test.app.url, ROOM, ann)

    const request = { user_id: ann.id, reason: REASON }
    expect(await test.call(freezeAccount, request, finance)).toMatchObject({
      code: 1,
      data: null,
    })
    const signedOut = { http: 401, code: 50012, data: { reason: 'session_replaced' } }
    const withdrawal = { pay_id: ann.payId, money: '100', security_code: TEST_CODE }
    for (const each of [ann, device.data.userinfo])
      expect(await test.call(userInfo, {}, each)).toMatchObject(signedOut)
    expect(await signIn()).toMatchObject({ code: 0, data: { reason: 'account_locked' } })
    expect(await test.call(refresh, {}, { headers: { Cookie: cookie } })).toMatchObject({
      http: 401,
    })
    await eventually(() => stream.closed || undefined)

    // Its bet is still settled: 100 on each side of 1.92 to 1.
    await moveToSeal(test)
    await moveToDraw(test, issue)
    expect(await cashOf(test.database, ann.id)).toBe(992_000_000n)
    const frozen = async () =>
      (await test.call(listFrozenAccounts, { q: 'frozen_ann' }, finance)).data.list
    expect(await frozen()).toMatchObject([
      { user_id: ann.id, username: 'frozen_ann', reason: REASON, frozen_by: 'finance' },
    ])

    expect(
      await test.call(unfreezeAccount, { user_id: ann.id, reason: 'explained' }, owner),
    ).toMatchObject({ code: 1 })
    expect(await test.call(userInfo, {}, ann)).toMatchObject(signedOut)
    const again = await signIn()
    expect(again).toMatchObject({ code: 1 })
    const { token } = again.data.userinfo
    expect((await test.call(userInfo, {}, { token })).data.money).toBe('992.00')
    expect((await test.call(orderList, {}, { token })).data).toMatchObject([{ status: 1 }])
    expect(await test.call(withdrawAction, withdrawal, { token })).toMatchObject({ code: 1 })
    expect(await frozen()).toEqual([])
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
    const subject = `player:${ann.id}`
    expect(log.list).toMatchObject([
      { action: 'account_unfrozen', staff: 'owner', subject, details: { reason: 'explained' } },
      { action: 'account_frozen', staff: 'finance', subject, details: { reason: REASON } },
    ])
    await expectAlwaysTrue(test.database.owner)
  })
})
