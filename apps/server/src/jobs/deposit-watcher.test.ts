/** Transfers on the local chain, through the real node's calls and the real watcher, to balances. */

import type { LedgerRow } from '@sum28/contract/replies.ts'
import { quantityLogList, recharge, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import type { LocalTransaction } from '#src/adapters/chain/local-tron-chain.ts'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { captureLog } from '#testing/captured-log.ts'
import {
  createTestApp,
  eventually,
  registerMember,
  type TestApp,
  type TestMember,
} from '#testing/test-app.ts'

const MICRO = 1_000_000n

async function member(test: TestApp, name: string) {
  const registered = await registerMember(test, name)
  const { data } = await test.call(recharge, {}, registered)
  return { ...registered, address: data.usdt ?? '' }
}

const moneyOf = async (test: TestApp, who: TestMember) =>
  (await test.call(userInfo, {}, who)).data.money

const depositsOf = async (test: TestApp, who: TestMember) =>
  ((await test.call(quantityLogList, { type: 0 }, who)).data as LedgerRow[]).map(
    ({ quantity }) => quantity,
  )

function expectMoney(test: TestApp, who: TestMember, money: string): Promise<true> {
  return eventually(async () => ((await moneyOf(test, who)) === money ? true : undefined))
}

function chainOf({ app }: TestApp) {
  if (!app.chain) throw new Error('the demo has a chain')
  return app.chain
}

/** A transaction with a transfer of USDT for each of these. */
function payments(
  list: { to: string; micro: bigint; contract?: string }[],
  failed?: LocalTransaction['failed'],
): LocalTransaction {
  return {
    transfers: list.map(({ to, micro, contract = USDT_MAINNET_CONTRACT }) => ({
      to,
      from: LOCAL_FAUCET_ADDRESS,
      amountMicro: micro,
      contract,
    })),
    ...(failed ? { failed } : {}),
  }
}

/** Waits until the watcher has done every block there was. */
async function watched(test: TestApp): Promise<void> {
  const height = chainOf(test).height()
  await eventually(async () => {
    const [row] = await test.database.owner.query<{ block: bigint }>(
      'select block from deposits.watcher_place',
    )
    return row && row.block > height ? true : undefined
  })
}

describe('a deposit', () => {
  it('is credited once, to the micro-unit, and not again by a restart', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    chainOf(test).transfer({ to: ann.address, amountMicro: 12_345_678n })
    await expectMoney(test, ann, '12.345678')
    for (const _restart of [1, 2]) {
      await test.restart()
      await watched(test)
      expect(await moneyOf(test, ann)).toBe('12.345678')
    }
    chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
    await expectMoney(test, ann, '13.345678')
    expect(await depositsOf(test, ann)).toEqual(['1.00', '12.345678'])
    await expectAlwaysTrue(test.database.owner)
  })

  it('that came while the product was down is credited when it is back', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    chainOf(test).transfer({ to: ann.address, amountMicro: 5n * MICRO })
    // Stopped at once: the block is not solid, and nothing has been credited.
    await test.restart()
    await expectMoney(test, ann, '5.00')
    await expectAlwaysTrue(test.database.owner)
  })

  it('is seen before it is credited', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    chainOf(test).transfer({ to: ann.address, amountMicro: 7n * MICRO })
    const statuses = new Set<string>()
    await eventually(async () => {
      const { transfers } = (await test.call(recharge, {}, ann)).data
      for (const { status, quantity } of transfers) statuses.add(`${status} ${quantity}`)
      return statuses.has('credited 7.00') || undefined
    })
    expect([...statuses].at(-1)).toBe('credited 7.00')
    expect((await test.call(recharge, {}, ann)).data.transfers).toHaveLength(1)
  })

  it('may be one of several in a transaction, each credited by itself', async () => {
    const test = await createTestApp()
    const [ann, bob] = [await member(test, 'ann_lee'), await member(test, 'bob_ray')]
    const stranger = LOCAL_FAUCET_ADDRESS
    chainOf(test).add(
      payments([
        { to: ann.address, micro: MICRO },
        { to: stranger, micro: 50n * MICRO },
        { to: bob.address, micro: 2n * MICRO },
        { to: ann.address, micro: MICRO },
        { to: ann.address, micro: 4n * MICRO },
      ]),
    )
    await expectMoney(test, ann, '6.00')
    await expectMoney(test, bob, '2.00')
    expect((await depositsOf(test, ann)).sort()).toEqual(['1.00', '1.00', '4.00'])
    const rows = await test.database.owner.query('select from deposits.transfer')
    expect(rows).toHaveLength(4)
    await expectAlwaysTrue(test.database.owner)
  })

  it('is none where the transaction failed, the token is another, or the amount cannot be', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    const chain = chainOf(test)
    const pay = { to: ann.address, micro: 9n * MICRO }
    for (const failed of ['reverted', 'receipt', 'info'] as const)
      chain.add(payments([pay], failed))
    chain.add(payments([{ ...pay, contract: LOCAL_FAUCET_ADDRESS }]))
    chain.add(payments([{ ...pay, micro: 0n }]))
    chain.add(payments([{ ...pay, micro: 2n ** 200n }]))
    chain.add(payments([{ ...pay, micro: 2n ** 63n }]))
    // What comes after all of them is credited: none of them has stopped the watcher.
    chain.add(payments([{ ...pay, micro: MICRO }]))
    await expectMoney(test, ann, '1.00')
    expect(await depositsOf(test, ann)).toEqual(['1.00'])
    await expectAlwaysTrue(test.database.owner)
  })

  it('comes through a node that fails in every way, once and in order', async () => {
    const { log, lines } = captureLog()
    const test = await createTestApp({}, { log })
    const ann = await member(test, 'ann_lee')
    const chain = chainOf(test)
    const infos = 'gettransactioninfobyblocknum'
    for (const kind of ['error200', 'malformed'] as const) chain.failNext({ kind, call: infos })
    // A node that has forgotten what was in a block must not be believed.
    chain.failNext({ kind: 'empty', call: infos, times: 3 })
    for (const micro of [MICRO, 2n * MICRO, 3n * MICRO]) {
      chain.transfer({ to: ann.address, amountMicro: micro })
    }
    await expectMoney(test, ann, '6.00')
    chain.setBack(50)
    chain.transfer({ to: ann.address, amountMicro: 4n * MICRO })
    await eventually(() => lines.find((line) => line.includes('"node_behind"')))
    chain.setBack(0)
    await expectMoney(test, ann, '10.00')
    const [last, ...first] = await depositsOf(test, ann)
    expect([last, first.sort()]).toEqual(['4.00', ['1.00', '2.00', '3.00']])
    expect(lines.filter((line) => line.includes(ann.address))).toEqual([])
    await expectAlwaysTrue(test.database.owner)
  })

  it('comes after the database has been away', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    await test.database.takeAway()
    chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
    await new Promise((tried) => setTimeout(tried, 500))
    await test.database.giveBack()
    await expectMoney(test, ann, '1.00')
    await watched(test)
    expect(await depositsOf(test, ann)).toEqual(['1.00'])
    await expectAlwaysTrue(test.database.owner)
  })
})
