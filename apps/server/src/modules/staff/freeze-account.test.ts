/** Freezing an account: what its player can still do, his money, and what the database does by itself. */

import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { withdrawAction } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  freezeAccount,
  listFrozenAccounts,
  unfreezeAccount,
} from '@sum28/contract/staff-house-routes.ts'
import { startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { login, orderList, userInfo } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions, expectSignedOut } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { memberWithMoney, TEST_CODE } from '#testing/people/cashier.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffSession, staffToken } from '#testing/people/staff.ts'
import { moveToDraw, moveToSeal, openIssueFor } from '#testing/product/play-round.ts'
import { answerTo, expectSuccess, TEST_PASSWORD, useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { openStream } from '#testing/requests/stream-client.ts'

const test = useWorkersApp()

const ROOM = { plan_id: 11, game_id: 1 }
const REASON = 'two accounts of one person'

it('a frozen account is signed out everywhere, may do nothing, keeps its money, and can sign in after the freeze', async () => {
  const ann = await memberWithMoney(test, 'frozen_ann', 1_000)
  const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
  const signIn = () => test.call(login, { account: 'frozen_ann', password: TEST_PASSWORD })
  const issue = await openIssueFor(test, 60)
  const order = { ...ROOM, issue, play_type: '[1,2]', money: 100 }
  expectSuccess(await test.call(playOrder, order, ann))
  const stream = await openStream(test.app.url, ROOM, ann)

  const request = { user_id: ann.id, reason: REASON }
  expect(await test.call(freezeAccount, request, finance)).toMatchObject({ code: 1 })
  const signedOut = { http: 401, code: 50012, data: { reason: 'session_replaced' } }
  const withdrawal = { pay_id: ann.payId, money: '100', security_code: TEST_CODE }
  expect(await test.call(userInfo, {}, ann)).toMatchObject(signedOut)
  expect(await signIn()).toMatchObject({ code: 0, data: { reason: 'account_locked' } })
  await eventually(() => stream.closed)

  // Its bet is still settled: 100 on each side of 1.92 to 1.
  await moveToSeal(test)
  await moveToDraw(test, issue)
  expect(await cashOf(test.database, ann.id)).toBe(992_000_000n)
  const frozen = async () =>
    (await test.call(listFrozenAccounts, { q: 'frozen_ann' }, finance)).data.list
  expect(await frozen()).toMatchObject([
    { user_id: ann.id, username: 'frozen_ann', reason: REASON, frozen_by: 'finance' },
  ])

  // Only who may end the freeze is told of it, as by mail.
  const tasks = async (who: { token: string }) =>
    (await test.call(startNeeds, {}, who)).data.needs.filter(
      ({ need }) => need === 'accounts_frozen',
    )
  expect(await tasks(owner)).toMatchObject([{ yours: true, since: expect.any(Number) }])
  expect(await tasks(finance)).toEqual([])

  const [{ frozen_at = 0 } = {}] = await frozen()
  const unfreeze = (at: number) =>
    test.call(unfreezeAccount, { user_id: ann.id, frozen_at: at, reason: 'explained' }, owner)
  // Of another freeze than this one.
  expect((await unfreeze(frozen_at - 1)).data).toMatchObject({
    reason: 'already_decided',
    by: 'finance',
  })
  expect(await answerTo(unfreeze(frozen_at))).toBe('done')
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

const BEFORE = Date.UTC(2026, 10, 20, 11)
const NOW = Date.UTC(2026, 10, 20, 12)
const LATER = NOW + 60_000

/** A person, and an owner who freezes him and ends the freeze of a second, by default of this one. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const [playerId, session] = [await addPlayer(database), await staffToken(database)]
  const { db } = database
  const freeze = (id = playerId) =>
    callFunction<string>(db, 'staff.freeze_player', id, 'asked about', session)
  const unfreeze = ({ id = playerId, at = NOW, by = db as Queryable } = {}) =>
    callFunction<string>(by, 'staff.unfreeze_player', id, 'explained', new Date(at), session)
  return { ...database, database, playerId, freeze, unfreeze }
}

type Stage = Awaited<ReturnType<typeof stage>>

const stateOf = ({ owner, playerId }: Stage) =>
  owner.value<string>('select state from accounts.player where id = $1', [playerId])

const freezings = ({ owner }: Stage) =>
  owner.query('select reason, frozen_at, lift_reason, lifted_at from accounts.freezing order by id')

it('a person is frozen once, and unfrozen once; a second freeze has a record of its own', async () => {
  const here = await stage()
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await here.freeze()).toBe('frozen')
  expect(await here.freeze()).toBe('already_frozen')
  expect(await stateOf(here)).toBe('frozen')
  await here.freezeClock(LATER)
  expect(await here.unfreeze()).toBe('active')
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await stateOf(here)).toBe('active')
  const first = {
    reason: 'asked about',
    frozen_at: NOW,
    lift_reason: 'explained',
    lifted_at: LATER,
  }
  expect(await freezings(here)).toEqual([first])
  await here.freezeClock(LATER + 1)
  await here.freeze()
  // Of the first freeze, which is over.
  expect(await here.unfreeze()).toBe('decided')
  expect(await stateOf(here)).toBe('frozen')
  expect(await here.unfreeze({ at: LATER })).toBe('active')
  const second = { ...first, frozen_at: LATER + 1, lifted_at: LATER + 1 }
  expect(await freezings(here)).toEqual([first, second])
})

it('neither a robot nor an unknown number is frozen or unfrozen, and a closed account stays closed', async () => {
  const here = await stage()
  const robot = await addPlayer(here.database, { u: 0, robot: true })
  await changePlayer(here, robot, `state = 'frozen'`)
  await changePlayer(here, here.playerId, `state = 'closed', closed_at = app.now()`)
  for (const id of [robot, 999_999]) {
    expect(await here.freeze(id)).toBe('not_found')
    expect(await here.unfreeze({ id })).toBe('not_found')
  }
  expect(await here.freeze()).toBe('account_closed')
  expect(await here.unfreeze()).toBe('not_frozen')
  expect(await freezings(here)).toEqual([])
})

it('a freeze ends the live sessions and devices of its player, and no others', async () => {
  const here = await stage()
  const { owner, playerId } = here
  await addSessions(here.database, playerId, BEFORE)
  await here.freeze()
  await expectSignedOut(here, { at: NOW, by: 'frozen', before: BEFORE })
  const others = 'select player_id <> $1 from accounts.known_device'
  expect(await owner.column(others, [playerId])).toEqual([true])
})

it.each([
  ['a freeze', 'freeze', 'frozen'],
  ['another end of a freeze', 'unfreeze', 'not_frozen'],
] as const)(
  '%s waits for the end of a freeze that is not committed yet, and sees it',
  async (_what, second, answer) => {
    const here = await stage()
    await here.freeze()
    const late = await answerAfter(here, {
      first: async (tx) => expect(await here.unfreeze({ by: tx })).toBe('active'),
      second: () => here[second](),
    })
    expect(late).toBe(answer)
  },
)

it('a freeze waits for the balance before it holds the person, as bets and withdrawals do', async () => {
  const here = await stage()
  const held = (tx: Transaction, row: string) =>
    tx.query(`select from ${row} = $1 for no key update nowait`, [here.playerId])
  const late = await answerAfter(here, {
    first: (tx) => held(tx, 'ledger.balance where holder_id'),
    second: () => here.freeze(),
    async whileWaiting(tx) {
      expect(await stateOf(here)).toBe('active')
      expect(await held(tx, 'accounts.player where id')).toHaveLength(1)
    },
  })
  expect(late).toBe('frozen')
})
