/** Deposits by bank, from the operator's account on the screen to the credit, through the API. */

import { noticeList } from '@sum28/contract/index-routes.ts'
import { recharge } from '@sum28/contract/money-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import {
  confirmProposal,
  endProposal,
  listProposals,
} from '@sum28/contract/staff-proposal-routes.ts'
import { bankAccount, recordBankDeposit, setBankAccount } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { addStaff, demoLogin, proofOf, staffSession } from '#testing/people/staff.ts'
import {
  API_ALONE,
  answerTo,
  expectSuccess,
  faultsOf,
  registerMember,
  shareTestApp,
  type TestApp,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'
import { bankReference } from './bank-deposit.ts'

const ACCOUNT = { bankname: 'First Bank', banknum: '12-3456-789', bankxm: 'Sum28 Ltd' }
const reason = 'the bank has moved it'

/** The account that was seen, as a proposal names it. */
const seenAs = (seen: typeof ACCOUNT | null) => ({
  seen_bankname: seen?.bankname,
  seen_banknum: seen?.banknum,
  seen_bankxm: seen?.bankxm,
})

const moneyOf = async (test: TestApp, who: TestMember) =>
  (await test.call(userInfo, {}, who)).data.money

/** What the last entries of the audit log say, oldest first. */
async function audited(test: TestApp, count: number) {
  const { data } = await test.call(listAuditRows, { limit: count }, await staffSession(test))
  return data.list.reverse()
}

describe('the account for bank deposits', () => {
  const test = shareTestApp(API_ALONE)

  it('is shown with a reference to members if there is one, and otherwise not at all', async () => {
    const owner = await staffSession(test)
    const ann = await registerMember(test, 'ann_lee')
    const seen = async () => (await test.call(recharge, {}, ann)).data
    const none = ['bankname', 'banknum', 'bankxm', 'reference']

    expect((await test.call(bankAccount, {}, owner)).data).toBeNull()
    for (const field of none) expect(await seen()).not.toHaveProperty(field)

    const set = async (account: object) => {
      const seen = seenAs((await test.call(bankAccount, {}, owner)).data)
      const proof = await proofOf(test, demoLogin(test, 'owner'))
      return test.call(setBankAccount, { ...account, ...seen, reason, ...proof }, owner)
    }
    expect((await set(ACCOUNT)).data).toEqual({ state: 'confirmed' })
    expect((await test.call(bankAccount, {}, owner)).data).toEqual(ACCOUNT)
    expect(await seen()).toMatchObject({ ...ACCOUNT, reference: bankReference(ann.id) })

    const other = { ...ACCOUNT, banknum: '99-0000' }
    await set(other)
    expect(await seen()).toMatchObject(other)
    for (const field of Object.keys(ACCOUNT))
      expect(await faultsOf(set({ ...ACCOUNT, [field]: '' }))).toEqual([field])
    expect(await faultsOf(set(other))).toEqual(['banknum'])

    expect((await set({})).data).toEqual({ state: 'confirmed' })
    expect((await test.call(bankAccount, {}, owner)).data).toBeNull()
    for (const field of none) expect(await seen()).not.toHaveProperty(field)
    const stored = { bankName: 'First Bank', number: '12-3456-789', holder: 'Sum28 Ltd' }
    const action = 'bank_account_confirmed'
    expect((await audited(test, 6)).filter((row) => row.action === action)).toMatchObject([
      { details: { before: null, after: stored, reason } },
      { details: { before: stored, after: { ...stored, number: other.banknum } } },
      { staff: 'owner', details: { after: null } },
    ])
  })

  it('is changed by two owners where there are two, and only as it was seen', async () => {
    const [owner, bob] = [await staffSession(test), await addStaff(test, 'owner')]
    const set = (seen: typeof ACCOUNT | null) =>
      test.call(setBankAccount, { ...ACCOUNT, ...seenAs(seen), reason }, owner)
    // What was typed beside an older one.
    expect(await answerTo(set({ ...ACCOUNT, banknum: '11-1111' }))).toBe('content_changed')
    expect((await set(null)).data).toEqual({ state: 'proposed' })
    const waitingOnes = async () =>
      (await test.call(listProposals, { kind: 'bank_account', state: 'proposed' }, owner)).data.list
    const [first] = await waitingOnes()
    const shown = `${ACCOUNT.bankname} · ${ACCOUNT.bankxm} · ${ACCOUNT.banknum}`
    expect(first?.changes).toEqual([{ what: 'bank_account', before: '—', after: shown }])
    await test.call(endProposal, { id: first?.id ?? 0, reason: 'a wrong number' }, bob)
    expect(await audited(test, 1)).toMatchObject([
      { action: 'bank_account_ended', details: { reason: 'a wrong number' } },
    ])
    expect((await set(null)).data).toEqual({ state: 'proposed' })
    const [waiting] = await waitingOnes()
    const confirm = (who: { token: string }) =>
      answerTo(test.call(confirmProposal, { id: waiting?.id ?? 0 }, who))
    expect(await confirm(await staffSession(test, 'finance'))).toBe('forbidden')
    expect(await confirm(owner)).toBe('second_person_needed')
    expect((await test.call(bankAccount, {}, owner)).data).toBeNull()
    expect(await confirm(bob)).toBe('done')
    expect((await test.call(bankAccount, {}, owner)).data).toEqual(ACCOUNT)
    expect(await answerTo(set(null))).toBe('content_changed')
  })
})

describe('a bank deposit', () => {
  const test = useWorkersApi()

  it('is credited when another person confirms it, reported to the player, and audited', async () => {
    const ann = await registerMember(test)
    const [owner, finance, cashier] = [
      await staffSession(test),
      await staffSession(test, 'finance'),
      await staffSession(test, 'cashier'),
    ]
    // Above the limits of adjustments it takes a third person.
    const large = { user_id: ann.id, money: '1000.01', reference: 'FB 2026-11/1' }
    const { data } = await test.call(recordBankDeposit, large, finance)
    const confirm = async (who: { token: string }) =>
      (await test.call(confirmProposal, data, who)).data.state
    const listed = async () => {
      const about = { kind: 'bank_deposit', subject: `player:${ann.id}` } as const
      return (await test.call(listProposals, about, finance)).data.list
    }
    expect(await answerTo(test.call(confirmProposal, data, finance))).toBe('second_person_needed')
    expect(await confirm(owner)).toBe('proposed')
    const proposal = { id: data.id, name: ann.username, proposed_by: 'finance' }
    const [recorded, reference] = [
      { what: 'bank_deposit', before: null, after: '1000.01' },
      { what: 'reference', before: null, after: 'FB 2026-11/1' },
    ]
    const first = { ...proposal, state: 'proposed', first_confirmed_by: 'owner' }
    const balance = { what: 'balance', before: '0.00', after: '1000.01' }
    expect(await listed()).toMatchObject([
      { ...first, confirmed_by: null, changes: [recorded, balance, reference] },
    ])
    expect(await moneyOf(test, ann)).toBe('0.00')
    expect(await confirm(cashier)).toBe('confirmed')
    expect(await moneyOf(test, ann)).toBe('1000.01')
    expect(await listed()).toMatchObject([
      { ...first, state: 'confirmed', confirmed_by: 'cashier', changes: [recorded, reference] },
    ])
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title: 'Deposit of 1,000.01 u credited' }])
    const subject = `bank_deposit:${data.id}`
    expect(await audited(test, 3)).toMatchObject([
      { action: 'bank_deposit_recorded', staff: 'finance', subject },
      { action: 'bank_deposit_first_confirmation', staff: 'owner', subject },
      {
        action: 'bank_deposit_confirmed',
        staff: 'cashier',
        subject,
        details: { amount: '1000.01' },
      },
    ])
    const { details } = (await audited(test, 1))[0] ?? {}
    expect(Object.keys(details ?? {}).sort()).toEqual(['amount', 'player_id', 'reference'])
    await expectAlwaysTrue(test.database.owner)
  })

  it('with the reference of another is credited if both persons name that one', async () => {
    const [ann, dan] = [await registerMember(test, 'ann_two'), await registerMember(test, 'dan_oh')]
    const [owner, finance] = [await staffSession(test), await staffSession(test, 'finance')]
    const first = { user_id: ann.id, money: '30', reference: 'NOTPROVIDED' }
    const second = { user_id: dan.id, money: '40', reference: 'notprovided' }
    const { id } = (await test.call(recordBankDeposit, first, finance)).data
    await test.call(confirmProposal, { id }, owner)

    const refused = await test.call(recordBankDeposit, second, finance)
    expect(refused).toMatchObject({
      data: { reason: 'reference_used', other_than: id, username: 'ann_two', amount: '30.00' },
    })
    expect(refused.msg).toMatch(`Deposit ${id} of ann_two (30.00 u) has this reference`)
    const other = (await test.call(recordBankDeposit, { ...second, other_than: id }, finance)).data
    const confirm = (named: { other_than?: number }) =>
      test.call(confirmProposal, { id: other.id, ...named }, owner)
    for (const named of [{}, { other_than: other.id }]) {
      expect(await confirm(named)).toMatchObject({
        data: { reason: 'reference_used', other_than: id },
      })
    }
    expect(await moneyOf(test, dan)).toBe('0.00')
    expectSuccess(await confirm({ other_than: id }))
    expect(await moneyOf(test, dan)).toBe('40.00')
    const { list } = (await test.call(listProposals, { q: 'NOTPROVIDED' }, owner)).data
    expect(list.map((each) => [each.id, each.changes.at(-1)?.after])).toEqual([
      [other.id, String(id)],
      [id, 'NOTPROVIDED'],
    ])
    expect(await audited(test, 2)).toMatchObject([
      { action: 'bank_deposit_recorded', details: { other_than: id } },
      { action: 'bank_deposit_confirmed', details: { other_than: id } },
    ])
    await expectAlwaysTrue(test.database.owner)
  })

  it('that two people record at once as another transfer than the same one is recorded once', async () => {
    const id = await addPlayer(test.database, { u: 0 })
    const finance = await staffSession(test, 'finance')
    const record = (more: object) =>
      test.call(
        recordBankDeposit,
        { user_id: id, money: 10, reference: bankReference(id), ...more },
        finance,
      )
    const { data } = await record({})
    const both = await Promise.all([1, 2].map(() => record({ other_than: data.id })))
    const [made, refused] = both.sort((a, b) => b.code - a.code)
    expect(refused?.data).toMatchObject({ reason: 'reference_used', other_than: made?.data.id })
    // After a refusal the reference belongs to the one before again.
    await test.call(endProposal, { id: made?.data.id ?? 0, reason: 'the same' }, finance)
    expect(await audited(test, 1)).toMatchObject([{ details: { reason: 'the same' } }])
    expect(await record({})).toMatchObject({ data: { other_than: data.id } })
    expect(await record({ other_than: data.id })).toMatchObject({ code: 1 })
  })

  it('is for a member, and its reference is of no transfer, and of no other deposit that there is not', async () => {
    const robot = await addPlayer(test.database, { u: 0, robot: true })
    const visitor = await addPlayer(test.database, { u: 0 })
    await changePlayer(test.database, visitor, 'group_id = 2')
    const player = await addPlayer(test.database, { u: 0 })
    const finance = await staffSession(test, 'finance')
    for (const [change, reason] of [
      [{ user_id: robot }, 'not_found'],
      [{ user_id: visitor }, 'member_only'],
      [{ reference: `USDT: 0x${'F'.repeat(30)} ${'f'.repeat(34)}` }, 'reference_is_transfer'],
      [{ money: '0' }, 'below_minimum'],
      // No other one has this reference.
      [{ other_than: 1 }, 'invalid_input'],
    ] as const) {
      const request = { user_id: player, money: '5', reference: 'DD-1', ...change }
      const { data, msg } = await test.call(recordBankDeposit, request, finance)
      expect(data as object, JSON.stringify(change)).toMatchObject({ reason })
      if (reason === 'member_only') expect(msg).toContain('a visitor’s account')
      if (reason === 'invalid_input') expect(data).toHaveProperty('fields.other_than')
    }
    const cent = { user_id: player, money: '0.01', reference: 'DD-1' }
    expectSuccess(await test.call(recordBankDeposit, cent, finance))
  })
})
