/** The hints about a withdrawal, as staff read them in the list and on its page. */
import type { RequestOf } from '@sum28/contract/route.ts'
import { addNote } from '@sum28/contract/staff-players-routes.ts'
import { listWithdrawals, oneWithdrawal, rejectWithdrawal } from '@sum28/contract/staff-routes.ts'
import { expect, it } from 'vitest'
import { addWallet, memberWithMoney, withdraw } from '#testing/people/cashier.ts'
import { addStaff, staffSession } from '#testing/people/staff.ts'
import { expectSuccess, useWorkersApp } from '#testing/product/test-app.ts'

const kindsOf = (hints: readonly { kind: string }[]) => hints.map(({ kind }) => kind)

const test = useWorkersApp()

it('the list and the page of a withdrawal have them, for an auditor too, and the list is filtered', async () => {
  const member = await memberWithMoney(test, 'risk_ann', 300)
  const id = await withdraw(test, member, '120')
  const auditor = await addStaff(test, 'auditor')
  const { data: one } = await test.call(oneWithdrawal, { id }, auditor)
  expect(one).toMatchObject({ id, state: 'waiting' })
  expect(kindsOf(one.risks)).toEqual(expect.arrayContaining(['first', 'payee_new', 'little_play']))
  const { data } = await test.call(
    listWithdrawals,
    { state: 'waiting', user_id: member.id },
    auditor,
  )
  // The page also names the others, on a network for example.
  const listed = data.list.find((each) => each.id === id)?.risks ?? []
  expect(kindsOf(listed)).toEqual(kindsOf(one.risks))
  const missing = await test.call(oneWithdrawal, { id: 999_999 }, await staffSession(test))
  expect(missing).toMatchObject({ code: 404 })
  // Another who registers the same wallet is counted.
  const other = await memberWithMoney(test, 'risk_bob', 10)
  await addWallet(test, other, member.wallet)
  const { data: again } = await test.call(oneWithdrawal, { id }, auditor)
  const others = [{ user_id: other.id, username: 'risk_bob' }]
  expect(again.risks).toContainEqual(
    expect.objectContaining({ kind: 'payee_shared', players: 1, others }),
  )

  const finds = async (filter: RequestOf<typeof listWithdrawals>) => {
    const { data } = await test.call(listWithdrawals, { user_id: member.id, ...filter }, auditor)
    return data.list.some((each) => each.id === id)
  }
  for (const filter of [
    { hint: 'first' },
    { hint: 'payee_shared' },
    { kind: 'wallet' },
    { amount_from: '120', amount_until: '120' },
    { from_day: '2026-11-20' },
    { until_day: '2099-01-01' },
  ] as const) {
    expect(await finds(filter), JSON.stringify(filter)).toBe(true)
  }
  for (const filter of [
    { hint: 'none' },
    { hint: 'payee_changed' },
    { kind: 'bank' },
    { amount_from: '120.01' },
    { amount_until: '119.99' },
    { from_day: '2099-01-01' },
    { until_day: '2026-11-19' },
  ] as const) {
    expect(await finds(filter), JSON.stringify(filter)).toBe(false)
  }
  // After the decision its page still has them; the list does not.
  await test.call(rejectWithdrawal, { id, reason: 'asked by the player' }, await staffSession(test))
  const decided = await test.call(oneWithdrawal, { id }, auditor)
  expect(decided.data).toMatchObject({ state: 'rejected', risks: again.risks })
  const { data: whole } = await test.call(listWithdrawals, { user_id: member.id }, auditor)
  expect(whole.list.find((each) => each.id === id)).toMatchObject({ state: 'rejected', risks: [] })
})

it('the list and the page have the newest note about the player and its time, for a cashier', async () => {
  const member = await memberWithMoney(test, 'noted_ann', 300)
  const id = await withdraw(test, member, '120')
  const [finance, support] = [await staffSession(test, 'finance'), await addStaff(test, 'support')]
  const { data: before } = await test.call(oneWithdrawal, { id }, finance)
  expect(before).toMatchObject({ note: null, noted_at: null })
  for (const text of ['called', 'wants no withdrawal: wrong card'])
    expectSuccess(await test.call(addNote, { user_id: member.id, text }, support))
  const newest = { note: 'wants no withdrawal: wrong card', noted_at: expect.any(Number) }
  expect((await test.call(oneWithdrawal, { id }, finance)).data).toMatchObject(newest)
  const { data } = await test.call(listWithdrawals, { user_id: member.id }, finance)
  expect(data.list).toMatchObject([{ id, ...newest }])
})
