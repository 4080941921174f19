/** Transfers on the local chain, through the real node's calls and the real watcher, to balances. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { listUnmatchedTransfers } from '@sum28/contract/staff-transfer-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { fail } from '#src/adapters/chain/tron-call.ts'
import { type TronNode, tronNode } from '#src/adapters/chain/tron-node.ts'
import { localKeys } from '#src/adapters/local-keys.ts'
import { depositAddress } from '#src/modules/deposits/deposit-address.ts'
import { seenTo, watcherHeight } from '#src/modules/deposits/deposit-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { publishedKey, serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { staffSession } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  createTestApp,
  mailsOf,
  mailTo,
  registerMember,
  shareTestApp,
  type TestApp,
  type TestMember,
} from '#testing/product/test-app.ts'
import { eventually, machineWait } from '#testing/requests/patience.ts'
import { startDepositWatcher } from './deposit-watcher.ts'

const MICRO = 1_000_000n

/** A chain's time at which all addresses of the test were given. */
const LATER = Date.UTC(2030, 0)

const { log, lines } = captureLog()
const test = shareTestApp({}, { log })

let count = 0
const newName = () => `depositor_${++count}`

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

/** Makes solid what was sent, and waits until the member has this much. */
async function expectMoney(test: TestApp, who: TestMember, money: string): Promise<void> {
  await test.addBlocks()
  await eventually(async () => ((await moneyOf(test, who)) === money ? true : undefined))
}

function chainOf({ app }: TestApp) {
  if (!app.chain) throw new Error('the demo has a chain')
  return app.chain
}

/** Makes all present blocks solid, and waits until the watcher has handled them. */
async function watched(test: TestApp): Promise<void> {
  const height = chainOf(test).height()
  await test.addBlocks()
  await eventually(async () => {
    const [row] = await test.database.owner.query<{ block: bigint }>(
      'select block from deposits.watcher_height',
    )
    return row && row.block > height ? true : undefined
  })
}

type WatcherDeps = Parameters<typeof startDepositWatcher>[0]

/** Starts a watcher, which ends with the test. */
function startWatcher(deps: Pick<WatcherDeps, 'db' | 'node' | 'second' | 'accountKey' | 'log'>) {
  const watcher = startDepositWatcher({
    ...{ contract: USDT_MAINNET_CONTRACT, chain: 'local', timeZone: 'UTC', now: Date.now },
    ...{ pollMs: 20, wait: machineWait, ...deps },
  })
  onTestFinished(() => watcher.stop())
}

/** A member with an address on a chain of the test's own, which a watcher reads of two nodes. */
async function onOwnChain({ blocks = 10 } = {}) {
  const served = await serveLocalNode({ startAt: LATER })
  onTestFinished(() => served.close())
  const database = await createTestDatabase()
  const { db } = database
  const { log, lines } = captureLog()
  const [playerId, accountKey] = [await addPlayer(database, { u: 0 }), publishedKey()]
  const second = { ...served.node }
  served.grow(blocks)
  startWatcher({ db, node: served.node, second, accountKey, log })
  await eventually(async () => (await watcherHeight(db, 'local')) ?? undefined)
  const request = { key: accountKey, chain: 'local', playerId }
  const address = (await depositAddress(db, request)) ?? ''
  return { served, database, lines, second, address, cash: () => cashOf(database, playerId) }
}

describe('a deposit', () => {
  it('is credited once, to the micro-unit, and not again by a restart', async () => {
    const ann = await member(test, newName())
    chainOf(test).transfer({ to: ann.address, amountMicro: 12_345_678n })
    await expectMoney(test, ann, '12.345678')
    await test.restart()
    await watched(test)
    expect(await moneyOf(test, ann)).toBe('12.345678')
    chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
    await expectMoney(test, ann, '13.345678')
    expect(await depositsOf(test, ann)).toEqual(['1.00', '12.345678'])
    await expectAlwaysTrue(test.database.owner)
  })

  it('that arrived while the product was down is credited when it is back', async () => {
    const ann = await member(test, newName())
    chainOf(test).transfer({ to: ann.address, amountMicro: 5n * MICRO })
    // Stopped at once: the block is not solid, and nothing has been credited.
    await test.restart()
    await expectMoney(test, ann, '5.00')
    await expectAlwaysTrue(test.database.owner)
  })

  it('is seen, then solid, then credited, and always shown as one line', async () => {
    const ann = await member(test, newName())
    const order: string[] = []
    const becomes = (status: string) =>
      eventually(async () => {
        const { transfers } = (await test.call(recharge, {}, ann)).data
        expect(transfers.length).toBeLessThanOrEqual(1)
        for (const line of transfers) {
          if (line.status !== order.at(-1)) order.push(line.status)
          expect(line.quantity).toBe('7.00')
        }
        return order.at(-1) === status || undefined
      })
    await test.database.owner.transaction(async (tx) => {
      // However long the machine takes.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      // Any other credit for her has to wait.
      await tx.query('select from ledger.balance where holder_id = $1 for update', [ann.id])
      chainOf(test).transfer({ to: ann.address, amountMicro: 7n * MICRO })
      await test.addBlocks(1)
      await becomes('seen')
      await test.addBlocks(2)
      await becomes('solid')
      expect(await moneyOf(test, ann)).toBe('0.00')
    })
    await becomes('credited')
    expect(order).toEqual(['seen', 'solid', 'credited'])
    expect(await moneyOf(test, ann)).toBe('7.00')
  })

  it('is shown as soon as a block has it, and as solid when that cannot be undone', async () => {
    // No block is solid before the third.
    const { served, database, address, cash } = await onOwnChain({ blocks: 0 })
    const sent = served.local.transfer({ to: address, amountMicro: 7n * MICRO })
    if (!sent.ok) throw new Error(sent.message)
    served.grow(1)
    const seenOf = (to: string) => seenTo(database.db, { chain: 'local', address: to })
    const line = { txId: sent.txId, logIndex: 0, amount: 7n * MICRO, at: expect.any(Number) }
    const seen = { ...line, solid: false }
    await eventually(async () => (await seenOf(address)).length || undefined)
    expect(await seenOf(address)).toEqual([{ ...seen, confirmations: 1, confirmationsOfSolid: 2 }])
    served.grow(1)
    await eventually(async () => (await seenOf(address))[0]?.confirmations === 2 || undefined)
    expect(await seenOf(address)).toEqual([{ ...seen, confirmations: 2, confirmationsOfSolid: 3 }])
    await database.owner.transaction(async (tx) => {
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      await tx.query('lock table deposits.transfer in share mode')
      served.grow(1)
      await eventually(async () => (await seenOf(address))[0]?.solid || undefined)
      expect(await cash()).toBe(0n)
    })
    await eventually(async () => (await seenOf(address)).length === 0 || undefined)
    expect(await cash()).toBe(7n * MICRO)
    expect(await seenOf(LOCAL_FAUCET_ADDRESS)).toEqual([])
  })

  it('is reported to its owner once, in the app and by mail', async () => {
    const ann = await member(test, newName())
    chainOf(test).transfer({ to: ann.address, amountMicro: 7_000_001n })
    await test.addBlocks()
    const title = 'Deposit of 7.000001 u credited'
    await mailTo(test, ann.email, ({ subject }) => subject === title)
    const mailsToAnn = async () => (await mailsOf(test)).filter(({ to }) => to === ann.email)
    const before = await mailsToAnn()
    await test.restart()
    await watched(test)
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei).toMatchObject([{ title, read: false }])
    expect(await mailsToAnn()).toEqual(before)
  })

  it('is recorded, credited and reported together or not at all', async () => {
    const ann = await member(test, newName())
    const { owner } = test.database
    const rowsOf = async (table: string, column = 'player_id') =>
      (await owner.query(`select from ${table} where ${column} = $1`, [ann.id])).length
    await owner.query('alter table inbox.message rename to message_elsewhere')
    chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
    await test.addBlocks()
    await eventually(async () => {
      const { transfers } = (await test.call(recharge, {}, ann)).data
      return transfers[0]?.status === 'solid' || undefined
    })
    expect(await rowsOf('ledger.posting', 'holder_id')).toBe(0)
    expect(await rowsOf('deposits.transfer')).toBe(0)
    await owner.query('alter table inbox.message_elsewhere rename to message')
    await expectMoney(test, ann, '1.00')
    expect(await rowsOf('inbox.message')).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('to a frozen member is credited to him, so that it is not lost', async () => {
    const ann = await member(test, newName())
    const { owner } = test.database
    await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [ann.id])
    chainOf(test).transfer({ to: ann.address, amountMicro: 3n * MICRO })
    await watched(test)
    expect(await cashOf(test.database, ann.id)).toBe(3n * MICRO)
    expect(
      await owner.query('select from deposits.transfer where player_id = $1', [ann.id]),
    ).toHaveLength(1)
    await expectAlwaysTrue(owner)
  })

  it('to an address of ours that is nobody\u2019s is kept for staff, whoever gets it later', async () => {
    const test = await createTestApp()
    const ann = await member(test, 'ann_lee')
    const { owner } = test.database
    // An index that was reserved by a rolled-back transaction, and the following ones.
    await owner.query(`select nextval('deposits.address_derivation_index_seq')`)
    await watched(test)
    const spare = await eventually(async () => {
      const rows = await owner.query<{ address: string }>(
        `select address from deposits.spare_address
         where address <> $1 order by derivation_index`,
        [ann.address],
      )
      return rows.length === 21 ? rows : undefined
    })
    const [lost, next, ...rest] = spare
    const far = rest.at(-1)
    if (!lost || !next || !far) throw new Error('there are 21')
    const chain = chainOf(test)
    for (const [index, { address }] of [lost, next, far].entries()) {
      chain.transfer({ to: address, amountMicro: BigInt(index + 1) * MICRO })
    }
    chain.transfer({ to: LOCAL_FAUCET_ADDRESS, amountMicro: MICRO })
    await watched(test)
    const bob = await member(test, 'bob_ray')
    expect(bob.address).toBe(next.address)

    const { data } = await test.call(
      listUnmatchedTransfers,
      {},
      await staffSession(test, 'finance'),
    )
    expect(data.list.map(({ to, quantity }) => [to, quantity]).sort()).toEqual(
      [
        [lost.address, '1.00'],
        [next.address, '2.00'],
        [far.address, '3.00'],
      ].sort(),
    )
    expect((await test.call(recharge, {}, bob)).data).toMatchObject({
      money: '0.00',
      transfers: [],
    })
    // From now on the address is his.
    chain.transfer({ to: bob.address, amountMicro: 9n * MICRO })
    await expectMoney(test, bob, '9.00')
    expect((await test.call(recharge, {}, bob)).data.transfers).toHaveLength(1)
    await expectAlwaysTrue(owner)
  })

  it('is credited by one of two processes that watch, and neither reports a failure', async () => {
    const ann = await member(test, newName())
    const captured = captureLog()
    const reading = openAccountKey(localKeys(test.config.dataDir).tronXpub)
    if (!reading.ok) throw new Error(reading.message)
    const { log } = captured
    for (const _other of [1, 2]) {
      const node = tronNode({ url: `${test.app.url}/tron` })
      startWatcher({ db: test.database.db, node, second: null, accountKey: reading.key, log })
    }
    for (let paid = 1; paid <= 5; paid += 1) {
      chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
      await expectMoney(test, ann, `${paid}.00`)
    }
    await watched(test)
    expect(captured.lines.filter((line) => line.includes('could not be credited'))).toEqual([])
    await expectAlwaysTrue(test.database.owner)
  })

  it('arrives after the database was down', async () => {
    const ann = await member(test, newName())
    await test.database.takeAway()
    chainOf(test).transfer({ to: ann.address, amountMicro: MICRO })
    await new Promise((tried) => setTimeout(tried, 500))
    await test.database.giveBack()
    // This test's own pool may still hold connections that were ended with the database.
    await eventually(() =>
      test.addBlocks().then(
        () => true,
        () => undefined,
      ),
    )
    await expectMoney(test, ann, '1.00')
    await watched(test)
    expect(await depositsOf(test, ann)).toEqual(['1.00'])
    await expectAlwaysTrue(test.database.owner)
  })
})

describe('a transfer that the second node does not confirm', () => {
  /** A member who was sent 7 u, by a chain whose second node answers as the test says. */
  async function twoNodes(answer: (node: TronNode) => Partial<TronNode>) {
    const own = await onOwnChain()
    const { served, address, second } = own
    Object.assign(second, answer(served.node))
    served.local.transfer({ to: address, amountMicro: 7n * MICRO })
    served.growSolid()
    return { ...own, node: served.node }
  }

  /** The answers of a node whose log of a transfer is another. */
  const altered = (change: (log: { topics: string[]; data: string }) => object) =>
    function answer(node: TronNode): Partial<TronNode> {
      return {
        async solidBlock(...ask) {
          const block = await node.solidBlock(...ask)
          if (!block.ok) return block
          const infos = block.value.infos.map((info) => ({
            ...info,
            log: (info.log as { topics: string[]; data: string }[]).map((log) => ({
              ...log,
              ...change(log),
            })),
          }))
          return { ok: true, value: { ...block.value, infos } }
        },
      }
    }

  it.each<[string, (node: TronNode) => Partial<TronNode>]>([
    ['has another amount there', altered(({ data }) => ({ data: data.replace(/.$/, '1') }))],
    ['has another receiver there', altered(({ topics: [a, b] }) => ({ topics: [a, b, b] }))],
    ['has no transfer there', altered(() => ({ topics: [] }))],
    ['has not reached the block', () => ({ solidHead: async () => headAt(0) })],
    ['does not answer', () => ({ solidHead: async () => SILENT })],
  ])(
    'is not credited while that node %s, and is credited when it agrees',
    async (_what, answer) => {
      const { database, lines, second, node, cash } = await twoNodes(answer)
      await eventually(() => lines.find((line) => /two nodes|is below block|silent/.test(line)))
      expect(await cash()).toBe(0n)
      Object.assign(second, node)
      await eventually(async () => ((await cash()) === 7n * MICRO ? true : undefined))
      await expectAlwaysTrue(database.owner)
    },
  )
})

const headAt = (blockNumber: number) => ({
  ok: true as const,
  value: { blockNumber, blockTime: null },
})
const SILENT = fail({ kind: 'timeout', message: 'silent' })

describe('the watcher', () => {
  it('reports what is too large to be recorded, and credits what else its transaction has', async () => {
    const ann = await member(test, newName())
    const transfer = {
      to: ann.address,
      from: LOCAL_FAUCET_ADDRESS,
      contract: USDT_MAINNET_CONTRACT,
    }
    const { txId } = chainOf(test).add({
      transfers: [MICRO, 2n ** 63n].map((amountMicro) => ({ ...transfer, amountMicro })),
    })
    await expectMoney(test, ann, '1.00')
    const reported = lines.filter((line) => line.includes('too large to be recorded'))
    expect(reported).toEqual([expect.stringContaining(txId)])
  })

  it('names the block that it could not credit, but no player, and credits it after the repair', async () => {
    const { owner } = test.database
    const ann = await member(test, newName())
    const from = lines.length
    // The books of this player are damaged, and of no other.
    await owner.query(
      `alter table deposits.transfer add constraint broken check (player_id <> ${ann.id}) not valid`,
    )
    chainOf(test).transfer({ to: ann.address, amountMicro: 5n * MICRO })
    await test.addBlocks()
    const logged = await eventually(() =>
      lines.slice(from).find((line) => line.includes('a block could not be credited')),
    )
    expect(JSON.parse(logged)).toMatchObject({
      level: 50,
      block: expect.any(Number),
      error: { constraint: 'broken', message: expect.stringContaining('broken') },
    })
    expect(await moneyOf(test, ann)).toBe('0.00')
    expect(lines.filter((line) => line.includes(ann.address))).toEqual([])
    await owner.query('alter table deposits.transfer drop constraint broken')
    await expectMoney(test, ann, '5.00')
    await watched(test)
    expect(await depositsOf(test, ann)).toEqual(['5.00'])
    await expectAlwaysTrue(owner)
  })
})
