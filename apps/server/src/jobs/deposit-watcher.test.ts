/** Transfers on the local chain, through the real node's calls and the real watcher, to balances. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { quantityLogList, recharge } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { fail } from '#src/adapters/chain/tron-call.ts'
import { type TronNode, tronNode } from '#src/adapters/chain/tron-node.ts'
import { localKeys } from '#src/adapters/local-keys.ts'
import { leadership } from '#src/db/leadership.ts'
import { depositAddress } from '#src/modules/deposits/deposit-address.ts'
import { watcherHeight } from '#src/modules/deposits/deposit-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import type { TestDatabase } from '#testing/database/test-database.ts'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { publishedKey, REAL_LAG, serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { startWatcher } from '#testing/product/started-watcher.ts'
import {
  chainOf,
  mailsOf,
  mailTo,
  registerMember,
  sendUsdt,
  shareTestApp,
  type TestMember,
  untilWatched,
  usdtAddressOf,
} from '#testing/product/test-app.ts'
import { eventually, machineWait } from '#testing/requests/patience.ts'
import { WATCHER_LEAD } from './deposit-watcher.ts'

const MICRO = 1_000_000n

const { log, lines } = captureLog()
const test = shareTestApp({}, { log, chainByHand: true })

/** The first line of the log with these words, from a place on. */
const lineWith = (words: string, from = 0, of = lines) =>
  of.slice(from).find((line) => line.includes(words))

async function member() {
  const registered = await registerMember(test)
  return { ...registered, address: await usdtAddressOf(test, registered) }
}

const moneyOf = async (who: TestMember) => (await test.call(userInfo, {}, who)).data.money

const depositsOf = async (who: TestMember) =>
  ((await test.call(quantityLogList, { type: 0 }, who)).data as LedgerRow[]).map(
    ({ quantity }) => quantity,
  )

/** Makes solid what was sent, and waits until the member has this much. */
async function expectMoney(who: TestMember, money: string): Promise<void> {
  await test.addBlocks()
  await eventually(async () => (await moneyOf(who)) === money)
}

/** A node that answers as the test says, and how often it was asked. */
function countedNode(answers: TronNode) {
  let asked = 0
  const counted = {
    answers,
    asked: () => asked,
    node: new Proxy(answers, {
      get(_node, call: keyof TronNode) {
        asked += 1
        return counted.answers[call]
      },
    }),
    /** Waits until a whole step of the watcher has asked it from now on. */
    async askedAgain() {
      const before = asked
      await eventually(() => asked >= before + 6)
    },
  }
  return counted
}

/** A member with an address on a chain of the test's own, which a watcher reads of two nodes; the first may answer otherwise. */
async function onOwnChain(answers: Partial<TronNode> = {}) {
  const served = await serveLocalNode()
  const { database } = served
  const { db } = database
  const playerId = await addPlayer(database, { u: 0 })
  const second = countedNode(served.node)
  await served.grow(3)
  const { log, lines } = captureLog()
  const node = { ...served.node, ...answers }
  startWatcher({ db, node, second: second.node, log })
  await eventually(() => watcherHeight(db, 'local'))
  const request = { key: publishedKey(), chain: 'local', playerId }
  const address = (await depositAddress(db, request)) ?? ''
  return { served, database, lines, second, address, cash: () => cashOf(database, playerId) }
}

describe('a deposit', () => {
  it('is credited once, to the micro-unit, and not again by a restart', async () => {
    const ann = await member()
    await sendUsdt(test, ann.address, 12_345_678n)
    await expectMoney(ann, '12.345678')
    const title = 'Deposit of 12.345678 u credited'
    await mailTo(test, ann.email, ({ subject }) => subject === title)
    await sendUsdt(test, ann.address, MICRO)
    // Stopped at once: the block of the second is not solid, and it is not credited.
    await test.restart()
    await expectMoney(ann, '13.345678')
    expect(await depositsOf(ann)).toEqual(['1.00', '12.345678'])
    const { zhannei } = (await test.call(noticeList, {}, ann)).data
    expect(zhannei.filter((notice) => notice.title === title)).toMatchObject([{ read: false }])
    const mails = (await mailsOf(test)).filter(
      ({ to, subject }) => to === ann.email && subject === title,
    )
    expect(mails).toHaveLength(1)
    // The local chain goes on where it was, although its last transaction is far below.
    const height = (await chainOf(test).height()) + 20
    await test.addBlocks(20)
    await untilWatched(test, height)
    await test.restart()
    await sendUsdt(test, ann.address, MICRO)
    await expectMoney(ann, '14.345678')
    await expectAlwaysTrue(test.database.owner)
  })

  it('is seen, then solid, then credited, and always shown as one line', async () => {
    const ann = await member()
    const order: string[] = []
    const becomes = (status: string) =>
      eventually(async () => {
        const { transfers } = (await test.call(recharge, {}, ann)).data
        expect(transfers.length).toBeLessThanOrEqual(1)
        for (const line of transfers) {
          if (line.status !== order.at(-1)) order.push(line.status)
          expect(line.quantity).toBe('7.00')
          if (line.status !== 'seen') continue
          expect(line.confirmations).toBeGreaterThan(0)
          expect(line.confirmations_needed).toBeGreaterThanOrEqual(line.confirmations ?? 0)
        }
        return order.at(-1) === status
      })
    await test.database.owner.transaction(async (tx) => {
      // However long the machine takes.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      // Any other credit for her has to wait.
      await tx.query('select from ledger.balance where holder_id = $1 for update', [ann.id])
      await sendUsdt(test, ann.address, 7n * MICRO)
      await test.addBlocks(1)
      await becomes('seen')
      await test.addBlocks(2)
      await becomes('solid')
      expect(await moneyOf(ann)).toBe('0.00')
    })
    await becomes('credited')
    expect(order).toEqual(['seen', 'solid', 'credited'])
    expect(await moneyOf(ann)).toBe('7.00')
  })

  it('is recorded, credited and reported together or not at all, and the log names its block and no player', async () => {
    const { owner } = test.database
    const ann = await member()
    const from = lines.length
    const rowsOf = async (table: string, column = 'player_id') =>
      (await owner.query(`select from ${table} where ${column} = $1`, [ann.id])).length
    // The last of the three is refused, for this player and for no other.
    await owner.query(
      `alter table inbox.message add constraint broken check (player_id <> ${ann.id}) not valid`,
    )
    await sendUsdt(test, ann.address, 5n * MICRO)
    await test.addBlocks()
    const logged = await eventually(() => lineWith('a block could not be credited', from))
    expect(JSON.parse(logged)).toMatchObject({
      level: 50,
      block: expect.any(Number),
      error: { constraint: 'broken', message: expect.stringContaining('broken') },
    })
    expect(await rowsOf('ledger.posting', 'holder_id')).toBe(0)
    expect(await rowsOf('deposits.transfer')).toBe(0)
    expect(lineWith(ann.address)).toBeUndefined()
    await owner.query('alter table inbox.message drop constraint broken')
    await untilWatched(test)
    expect(await depositsOf(ann)).toEqual(['5.00'])
    expect(await rowsOf('inbox.message')).toBe(1)
    await expectAlwaysTrue(owner)
  })

  it('is credited by one of two processes that watch, and neither reports a failure', async () => {
    const ann = await member()
    const { log, lines } = captureLog()
    const accountKey = openAccountKey(localKeys(test.config.dataDir).tronXpub)
    for (const _other of [1, 2]) {
      const node = tronNode({ url: `${test.app.url}/tron` })
      startWatcher({ db: test.database.db, node, accountKey, log })
    }
    for (let paid = 1; paid <= 3; paid += 1) {
      await sendUsdt(test, ann.address, MICRO)
      await expectMoney(ann, `${paid}.00`)
    }
    await untilWatched(test)
    expect(lineWith('could not be credited', 0, lines)).toBeUndefined()
    await expectAlwaysTrue(test.database.owner)
  })

  it('arrives after the database was down', async () => {
    const ann = await member()
    const from = lines.length
    await sendUsdt(test, ann.address, MICRO)
    await test.database.takeAway()
    await eventually(() => lineWith('will try again', from))
    await test.database.giveBack()
    // This test's own pool may still hold connections that were ended with the database.
    await eventually(() =>
      untilWatched(test).then(
        () => true,
        () => false,
      ),
    )
    expect(await depositsOf(ann)).toEqual(['1.00'])
    await expectAlwaysTrue(test.database.owner)
  })
})

describe('a transfer that the second node does not confirm', () => {
  type Logged = { topics: string[]; data: string }

  /** The answers of a node whose log of a transfer is another. */
  const altered = (change: (log: Logged) => object) => (node: TronNode) => ({
    solidBlock: async (...ask: Parameters<TronNode['solidBlock']>) => {
      const block = await node.solidBlock(...ask)
      if (!block.ok) return block
      const infos = block.value.infos.map((info) => ({
        ...info,
        log: (info.log as Logged[]).map((log) => ({ ...log, ...change(log) })),
      }))
      return { ok: true as const, value: { ...block.value, infos } }
    },
  })

  it('is credited when that node agrees, and not while it names another, has not reached it or is silent', async () => {
    const { served, database, lines, second, address, cash } = await onOwnChain()
    const answers: Record<string, Partial<TronNode>> = {
      'another amount': altered(({ data }) => ({ data: data.replace(/.$/, '1') }))(served.node),
      'another receiver': altered(({ topics: [a, b] }) => ({ topics: [a, b, b] }))(served.node),
      'no transfer': altered(() => ({ topics: [] }))(served.node),
      'a block before it': { solidHead: async () => headAt(0) },
      'no answer': { solidHead: async () => SILENT },
    }
    for (const [at, [what, answer]] of Object.entries(answers).entries()) {
      second.answers = { ...served.node, ...answer }
      await served.send(address, 7n * MICRO)
      await served.growSolid()
      await second.askedAgain()
      expect(await cash(), what).toBe(BigInt(at) * 7n * MICRO)
      second.answers = served.node
      await eventually(async () => (await cash()) > BigInt(at) * 7n * MICRO)
    }
    expect(await cash()).toBe(35n * MICRO)
    expect(lineWith('two nodes', 0, lines)).toBeDefined()
    await expectAlwaysTrue(database.owner)
  })
})

const headAt = (blockNumber: number) => ({
  ok: true as const,
  value: { blockNumber, blockTime: null },
})
const SILENT = fail({ kind: 'timeout', message: 'silent' })

describe('the watcher', () => {
  it('asks a node whose blocks all have transfers for each block twice, and for three more a step', async () => {
    const served = await serveLocalNode({ solidityLag: REAL_LAG })
    const addBlocks = async (count: number) => {
      for (let block = 0; block < count; block += 1) {
        await served.send(LOCAL_FAUCET_ADDRESS, MICRO)
        await served.grow(1)
      }
    }
    await addBlocks(REAL_LAG + 5)
    const node = countedNode(served.node)
    const steps: number[] = []
    const ended = Promise.withResolvers<void>()
    startWatcher({
      db: served.database.db,
      node: node.node,
      log,
      wait: async (_ms, signal) => {
        steps.push(node.asked())
        if (steps.length > 20) ended.resolve()
        if (steps.length > 20) return machineWait(3_600_000, signal)
        await addBlocks(3)
      },
    })
    await ended.promise
    const each = steps.slice(1).map((asked, at) => asked - (steps[at] ?? 0))
    expect(each).toEqual(Array(20).fill(2 * 3 + 3))
  })

  /** Starts the watcher of one more process, by the answers of a node. */
  function watching({ db, addresses }: TestDatabase, answers: TronNode) {
    const node = countedNode(answers)
    const lead = leadership(addresses.jobs, { answerMs: 60_000, silenceMs: 600_000 })
    const watcher = startWatcher({
      db,
      node: node.node,
      log,
      leads: () => lead.holds(WATCHER_LEAD),
      releaseLead: () => lead.release(WATCHER_LEAD),
      // A pause of a minute lasts longer than the test.
      wait: (ms, signal) => machineWait(ms < 60_000 ? 20 : 3_600_000, signal),
    })
    onTestFinished(() => lead.close())
    const stop = async () => {
      await watcher.stop()
      await lead.close()
    }
    return Object.assign(node, { stop, firstRequest: watcher.firstRequest })
  }

  it('works in one process, and in another when that one ends or the node fails for it', async () => {
    const served = await serveLocalNode()
    const { database } = served
    const first = watching(database, served.node)
    await first.askedAgain()
    const second = watching(database, served.node)
    await second.firstRequest
    await first.askedAgain()
    expect(second.asked()).toBe(0)
    await first.stop()
    await second.askedAgain()
    const third = watching(database, served.node)
    await third.firstRequest
    let failures = 0
    const solidHead = async () => {
      failures += 1
      return SILENT
    }
    second.answers = { ...served.node, solidHead }
    for (const _again of [1, 2]) await third.askedAgain()
    // Until its pause is a minute.
    expect(failures).toBe(7)
  })

  it('credits what is solid while a node does not have the newest blocks, and says why nobody sees them', async () => {
    const { served, lines, cash, address } = await onOwnChain({
      head: async () => fail({ kind: 'http', message: 'status 404', status: 404 }),
    })
    const logged = await eventually(() => lineWith('the newest blocks', 0, lines))
    expect(JSON.parse(logged)).toMatchObject({ level: 40, kind: 'http' })
    await served.send(address, MICRO)
    await served.growSolid()
    await eventually(async () => (await cash()) === MICRO)
  })

  it('leaves a node alone that refuses to say its newest blocks', async () => {
    const served = await serveLocalNode()
    const { db } = served.database
    failNext(served.local, { kind: 'http403', call: 'getnowblock', times: 1 })
    const waited = Promise.withResolvers<number>()
    const solidHead = async () => headAt(0)
    startWatcher({
      db,
      node: { ...served.node, solidHead },
      log,
      wait: (ms, signal) => {
        waited.resolve(ms)
        return machineWait(20, signal)
      },
    })
    expect(await waited.promise).toBe(30_000)
  })

  it('reports what it does not read as a transfer, once and without addresses, and credits the rest', async () => {
    const ann = await member()
    const from = lines.length
    const payment = { to: ann.address, from: LOCAL_FAUCET_ADDRESS, contract: USDT_MAINNET_CONTRACT }
    const transfer = { ...payment, amountMicro: MICRO }
    const tooLarge = await chainOf(test).add({
      transfers: [transfer, { ...transfer, amountMicro: 2n ** 63n }],
    })
    const failed = await chainOf(test).add({ transfers: [transfer, transfer], failed: 'receipt' })
    await test.addBlocks()
    const logged = await eventually(() => lineWith('not read as such', from))
    expect(await moneyOf(ann)).toBe('1.00')
    const reported = (words: string) => lines.slice(from).filter((line) => line.includes(words))
    expect(reported('too large to be recorded')).toEqual([expect.stringContaining(tooLarge.txId)])
    expect(reported('not read as such')).toEqual([logged])
    const skipped = JSON.parse(logged)
    expect(skipped).toMatchObject({ level: 40, count: 2, block: expect.any(Number) })
    expect(JSON.parse(skipped.logs)).toEqual(
      [0, 1].map((logIndex) => ({ txId: failed.txId, logIndex, reason: 'transaction_failed' })),
    )
    expect(lineWith(ann.address)).toBeUndefined()
  })
})
