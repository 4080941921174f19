/** A request of a withdrawal that is accepted: its reply, the stored request, the money and the notice. */
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import { openAskingMember } from '#testing/people/cash-desk.ts'

const U = 1_000_000n
const CARD = 'Bank of Hanoi •••• 4242'
const WALLET = 'TUEZ…GWYdH'

it('reserves the money, and notifies the player with the amount and the payee', async () => {
  const { database, owner, player, card, ask, requested, notices, audited } =
    await openAskingMember()
  const made = await ask({ amount: 250n * U + 10_000n })
  const [stored] = (await requested()) as { id: bigint }[]
  expect(made).toEqual({
    ...{ id: stored?.id, amount: 250_010_000n, cashAfter: 749_990_000n, replayed: false },
  })
  expect(stored).toEqual({
    ...{ player, id: expect.any(BigInt), method: card, amount: 250_010_000n },
    ...{ day: '2026-11-20', left: 749_990_000n, state: 'waiting' },
  })
  expect(await cashOf(database, player)).toBe(749_990_000n)
  expect(await notices()).toEqual([
    {
      ...{ player, kind: 'withdrawal_requested' },
      facts: { amount: '250.01', payee: CARD },
    },
  ])
  expect(await audited()).toEqual([])
  expect(await owner.query('select key from wallet.idempotency_key')).toEqual([])
  await expectAlwaysTrue(owner)
})

it('is booked on the day of the time zone, and not of the world’s clock', async () => {
  const { owner, ask, requested } = await openAskingMember()
  await ask({}, { now: () => Date.UTC(2026, 10, 20, 16) })
  expect(await requested()).toMatchObject([{ day: '2026-11-21' }])
  await expectAlwaysTrue(owner)
})

it('may be of exactly the smallest amount, and of all the money', async () => {
  const { database, owner, player, ann, say, ask } = await openAskingMember()
  const smallest = await ask({ amount: 100n * U })
  expect(smallest).toMatchObject({ amount: 100n * U, cashAfter: 900n * U })
  await say('approve($1, $2)', [(smallest as { id: bigint }).id, ann])
  expect(await ask({ amount: 900n * U })).toMatchObject({ amount: 900n * U, cashAfter: 0n })
  expect(await cashOf(database, player)).toBe(0n)
  await expectAlwaysTrue(owner)
})

it.each([
  ['the id of the wallet', WALLET, (wallet: number) => ({ id: wallet })],
  ['the kind of the wallet', WALLET, () => ({ kind: 'wallet' as const })],
  ['the kind of the card', CARD, () => ({ kind: 'bank' as const })],
  ['an id and its kind', WALLET, (wallet: number) => ({ id: wallet, kind: 'wallet' as const })],
])('pays to the method that is chosen by %s', async (_what, payee, payTo) => {
  const { card, wallet, ask, requested, notices } = await openAskingMember()
  expect(await ask({ payTo: payTo(wallet) })).toMatchObject({ replayed: false })
  expect(await requested()).toMatchObject([{ method: payee === CARD ? card : wallet }])
  expect(await notices()).toMatchObject([{ facts: { amount: '100.00', payee } }])
})

it('forgives the wrong codes that were tried before', async () => {
  const { owner, ask } = await openAskingMember()
  await ask({ code: '000000' })
  expect(await owner.query('select tries from accounts.security_code')).toEqual([{ tries: 1 }])
  expect(await ask()).toMatchObject({ replayed: false })
  expect(await owner.query('select tries from accounts.security_code')).toEqual([{ tries: 0 }])
})
