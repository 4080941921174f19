/**
 * A request of a withdrawal: its reply, the stored request, the money and the notice; and each refusal, in their order: a
 * request with all faults is told the first of them.
 */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import {
  ASKING_CODE,
  addPayMethod,
  addSecurityCode,
  DESK_AT,
  openAskingMember,
} from '#testing/people/cash-desk.ts'

const U = 1_000_000n
const NOTHING = { payTo: null, amount: 100n * U - 1n, code: undefined }

it('a player without anything is told one by one what is missing', async () => {
  const { database, owner, ask, requested, notices } = await openAskingMember()
  const playerId = await addPlayer(database, { u: 100 })
  const told = (change: Parameters<typeof ask>[0] = {}) => ask({ ...NOTHING, playerId, ...change })
  expect(await told()).toEqual({ refused: 'pay_method_missing' })
  const method = await addPayMethod(database, playerId, 'wallet')
  expect(await told()).toEqual({ refused: 'security_code_not_set' })
  await addSecurityCode(database, playerId)
  expect(await told()).toEqual({
    refused: 'below_minimum',
    details: { minimum: '100.00' },
    wording: 'amount_below_minimum',
  })
  const amount = 100n * U + 10_000n
  expect(await told({ amount })).toEqual({
    refused: 'invalid_input',
    faults: { pay_id: 'required' },
  })
  expect(await told({ amount, payTo: { kind: 'bank' } })).toEqual({ refused: 'pay_method_missing' })
  expect(await told({ amount, payTo: { id: method, kind: 'bank' } })).toEqual({
    refused: 'invalid_input',
    faults: { pay_id: 'pay_method_differs' },
  })
  const payTo = { id: method }
  expect(await told({ amount, payTo })).toEqual({
    refused: 'invalid_input',
    faults: { security_code: 'required' },
  })
  expect(await told({ amount, payTo, code: '000000' })).toEqual({
    refused: 'security_code_wrong',
    details: { tries_left: 4 },
  })
  const code = ASKING_CODE
  expect(await told({ amount, payTo, code })).toEqual({
    refused: 'insufficient_balance',
    wording: 'above_balance',
  })
  expect(await cashOf(database, playerId)).toBe(100n * U)
  expect([await requested(), await notices()]).toEqual([[], []])
  expect(await told({ amount: 100n * U, payTo, code })).toMatchObject({ cashAfter: 0n })
  await expectAlwaysTrue(owner)
})

it('a method of another player, or one that was replaced, is missing', async () => {
  const { database, owner, card, ask, requested } = await openAskingMember()
  const others = await addPayMethod(database, await addPlayer(database))
  expect(await ask({ payTo: { id: others } })).toEqual({ refused: 'pay_method_missing' })
  await owner.query('update withdrawals.pay_method set replaced_at = app.now() where id = $1', [
    card,
  ])
  for (const payTo of [{ id: card }, { kind: 'bank' as const }]) {
    expect(await ask({ payTo })).toEqual({ refused: 'pay_method_missing' })
  }
  expect(await requested()).toEqual([])
})

it('a code that is locked is not tried, even if it is right', async () => {
  const { database, player, ask, requested } = await openAskingMember()
  for (let tries = 0; tries < 5; tries += 1) await ask({ code: '000000' })
  expect(await ask()).toEqual({
    refused: 'security_code_locked',
    details: { retry_after: 86_400, hours: 24 },
  })
  expect(await requested()).toEqual([])
  expect(await cashOf(database, player)).toBe(1_000n * U)
})

it('a frozen account refuses a right request, without a notice', async () => {
  const { database, owner, player, ask, requested, notices } = await openAskingMember()
  await owner.query(`update accounts.player set state = 'frozen'`)
  expect(await ask()).toEqual({ refused: 'account_locked' })
  expect([await requested(), await notices()]).toEqual([[], []])
  expect(await cashOf(database, player)).toBe(1_000n * U)
})

it('a change of the account holds requests to the last instant of its time, and not after it', async () => {
  const { database, owner, ask, notices } = await openAskingMember()
  await owner.query(`update withdrawals.terms set hold = interval '1 hour'`)
  await owner.query('update accounts.player set sensitive_changed_at = app.now()')
  await database.freezeClock(DESK_AT + 3_599_999)
  expect(await ask()).toEqual({ refused: 'withdrawal_on_hold' })
  expect(await notices()).toEqual([])
  await database.freezeClock(DESK_AT + 3_600_000)
  expect(await ask()).toMatchObject({ replayed: false })
})

it('a request reserves the money, and notifies the player with the amount and the payee', async () => {
  const { database, owner, player, card, ask, requested, notices, audited } =
    await openAskingMember()
  const made = await ask({ amount: 250n * U + 10_000n })
  const [stored] = (await requested()) as { id: bigint }[]
  expect(made).toEqual({
    id: stored?.id,
    amount: 250_010_000n,
    cashAfter: 749_990_000n,
    replayed: false,
  })
  expect(stored).toEqual({
    player,
    id: expect.any(BigInt),
    method: card,
    amount: 250_010_000n,
    day: '2026-11-20',
    left: 749_990_000n,
    state: 'waiting',
  })
  expect(await cashOf(database, player)).toBe(749_990_000n)
  expect(await notices()).toEqual([
    {
      player,
      kind: 'withdrawal_requested',
      facts: { amount: '250.01', payee: 'Bank of Hanoi •••• 4242' },
    },
  ])
  expect(await audited()).toEqual([])
  expect(await owner.query('select key from app.request_key')).toEqual([])
  await expectAlwaysTrue(owner)
})

it('a request is booked on the day of the time zone, and not of the world’s clock', async () => {
  const { owner, ask, requested } = await openAskingMember()
  await ask({}, { now: () => Date.UTC(2026, 10, 20, 16) })
  expect(await requested()).toMatchObject([{ day: '2026-11-21' }])
  await expectAlwaysTrue(owner)
})

it('a request forgives the wrong codes that were tried before', async () => {
  const { owner, ask } = await openAskingMember()
  await ask({ code: '000000' })
  expect(await owner.query('select tries from accounts.security_code')).toEqual([{ tries: 1 }])
  expect(await ask()).toMatchObject({ replayed: false })
  expect(await owner.query('select tries from accounts.security_code')).toEqual([{ tries: 0 }])
})
