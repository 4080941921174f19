/** The daily comparison, on a product whose books or chain really were altered. */
import { listChainDifferences } from '@sum28/contract/staff-routes.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { readSolidBlocks, type SolidBlock } from '#src/adapters/chain/chain-watcher.ts'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { fail } from '#src/adapters/chain/tron-call.ts'
import { type TronNode, tronNode } from '#src/adapters/chain/tron-node.ts'
import { callFunction } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { DIFFERENCE_IS_DUE, differencePage } from '#src/modules/deposits/compare-with-chain.ts'
import { depositAddress, watchSpareAddresses } from '#src/modules/deposits/deposit-address.ts'
import { beginWatching, creditBlock, watcherHeight } from '#src/modules/deposits/deposit-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf, moveMoney } from '#testing/database/fixtures.ts'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { publishedKey, serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { staffSession, staffToken } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import {
  chainOf,
  keepFromRunning,
  registerMember,
  sendUsdt,
  shareTestApp,
  untilWatched,
  usdtAddressOf,
} from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { rescanChain } from './chain-rescan.ts'

const MICRO = 1_000_000n

const { log, lines } = captureLog()
const test = shareTestApp({}, { log })

/** A member with an address, and the steps of a comparison; the differences of other tests are reported already. */
async function setUp() {
  const ann = await registerMember(test)
  const address = await usdtAddressOf(test, ann)
  const { owner, db } = test.database
  await keepFromRunning(test.database, 'compare-with-chain')
  return {
    ann,
    address,
    owner,
    /** Sends to an address and waits until the watcher has handled the block. */
    async pay(micro: bigint, to = address): Promise<string> {
      const { txId, blockNumber } = await sendUsdt(test, to, micro)
      await untilWatched(test, blockNumber)
      return txId
    },
    compare: (signal = new AbortController().signal) => {
      const node = tronNode({ url: `${test.app.url}/tron` })
      return rescanChain({ ...COMPARED, db, node, watchersNode: node, pollMs: 50, log }, signal)
    },
    /** Changes protected rows, as a person could who disables the database's triggers. */
    async tamper(sql: string, values: unknown[] = []): Promise<void> {
      await owner.transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica`)
        await tx.query(sql, values)
      })
    },
  }
}

const COMPARED = {
  contract: USDT_MAINNET_CONTRACT,
  chain: 'local',
  timeZone: 'UTC',
  now: Date.now,
}

async function differences() {
  return (await test.call(listChainDifferences, {}, await staffSession(test))).data.list
}

async function differencesOf(txIds: readonly string[]) {
  return (await differences()).filter(({ tx_id }) => txIds.includes(tx_id))
}

describe('the comparison of chain and ledger', () => {
  it('finds nothing if they agree, whatever else is on the chain', async () => {
    const { ann, pay, compare, address, owner } = await setUp()
    const chain = chainOf(test)
    const payment = { to: address, from: LOCAL_FAUCET_ADDRESS, contract: USDT_MAINNET_CONTRACT }
    const transfer = { ...payment, amountMicro: MICRO }
    const ofOtherToken = { ...transfer, contract: LOCAL_FAUCET_ADDRESS }
    const small = [1n, 0n].map((amountMicro) => ({ ...payment, amountMicro }))
    await chain.add({ transfers: [transfer, ofOtherToken, ...small] })
    for (const failed of ['reverted', 'receipt', 'info'] as const)
      await chain.add({ transfers: [transfer], failed })
    await pay(MICRO, LOCAL_FAUCET_ADDRESS)
    await pay(5n)
    await owner.query(
      `update deposits.rescan_height set finished_at = app.now() - interval '27 hours'`,
    )
    const uncompared = () => readNeeds(test.database.db, ['chain_uncompared'])
    expect(await uncompared()).toMatchObject([{ count: 1 }])
    await expect(compare(AbortSignal.abort())).rejects.toThrow('was stopped')
    expect(await uncompared()).toHaveLength(1)
    expect(await compare()).toMatchObject({ found: 0 })
    expect(await uncompared()).toEqual([])
    expect((await test.call(userInfo, {}, ann)).data.money).toBe('1.000006')
    expect((await differences()).length).toBe(0)
    const compared = `select from deposits.rescan_height, deposits.watcher_height
      where rescan_height.block between 1 and watcher_height.block`
    expect(await owner.exists(compared)).toBe(true)
    await expectAlwaysTrue(owner)
  })

  it('finds differences when the queue runs it, and reports each once', async () => {
    const { ann, pay, compare, tamper, address, owner } = await setUp()
    const rowLost = await pay(2n * MICRO)
    const stray = 'cd'.repeat(32)
    await tamper(`delete from deposits.transfer where tx_id = $1`, [rowLost])
    const astray = { playerId: ann.id, micro: 99n, reference: `usdt:${stray}:0` }
    await moveMoney(owner, 'deposit', astray)

    await owner.query(`select graphile_worker.add_job('compare-with-chain')`)
    const all = [rowLost, stray]
    const found = await eventually(async () => {
      const found = await differencesOf(all)
      return found.length === all.length ? found : undefined
    })
    // Every kind, and every combination of the three amounts: compared-with-chain.test.ts.
    const [lost, strayed] = all.map((txId) => found.find((one) => one.tx_id === txId))
    expect(lost?.kind).toBe('missing_in_ledger')
    expect(lost?.details).toEqual({
      block: expect.any(Number),
      player_id: ann.id,
      chain_amount: '2.00',
      booked_amount: '2.00',
    })
    expect(strayed?.kind).toBe('missing_on_chain')
    expect(strayed?.details).toEqual({ player_id: ann.id, booked_amount: '0.000099' })

    const reported = lines.filter((line) => line.includes('chain and ledger differ'))
    expect(reported).toHaveLength(2)
    expect(reported.every((line) => line.includes('"level":50'))).toBe(true)
    for (const secret of [address, LOCAL_FAUCET_ADDRESS, ann.email, ann.username])
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
    expect(await compare()).toMatchObject({ found: 0 })
    await pay(MICRO)
    expect(await compare()).toMatchObject({ found: 0 })
    expect(await differencesOf(all)).toHaveLength(2)
  })

  it('handles a node that fails, and continues where it was stopped', async () => {
    const { pay, compare, tamper } = await setUp()
    const lost = await pay(2n * MICRO)
    await tamper(`delete from deposits.transfer where tx_id = $1`, [lost])
    await expect(compare(AbortSignal.abort())).rejects.toThrow('stopped')
    for (const kind of ['error200', 'empty'] as const)
      failNext(chainOf(test), { kind, call: 'gettransactioninfobyblocknum' })
    expect(await compare()).toMatchObject({ found: 1 })
    expect(await differencesOf([lost])).toMatchObject([{ kind: 'missing_in_ledger' }])
  })

  it('repeats the hour before the last comparison, and never begins before the first block', async () => {
    const { pay, compare, owner, tamper } = await setUp()
    const early = await pay(MICRO)
    expect(await compare()).toMatchObject({ found: 0 })
    await tamper(`delete from deposits.transfer where tx_id = $1`, [early])
    expect(await compare()).toMatchObject({ found: 1 })
    // As if the chain had been watched only from here on.
    const late = await pay(MICRO)
    await tamper(`delete from deposits.transfer where tx_id = $1`, [late])
    await tamper(`delete from ledger.posting where reference = $1`, [`usdt:${late}:0`])
    await owner.query(
      `update deposits.rescan_height set (begun_after, block) =
        (select block, block from deposits.watcher_height)`,
    )
    expect(await compare()).toMatchObject({ found: 0 })
  })
})

/** A chain with a deposit of 7 u that the watcher’s node hid, and the steps of a comparison. */
async function hiddenDeposit() {
  const served = await serveLocalNode()
  const { database } = served
  const { db } = database
  const captured = captureLog()
  const playerId = await addPlayer(database, { u: 0 })
  await beginWatching(db, 'local', 0)
  const to = await depositAddress(db, { key: publishedKey(), chain: 'local', playerId })
  await watchSpareAddresses(db, publishedKey())
  await served.send(to ?? '', 7n * MICRO)
  await served.growSolid()
  const hiding: TronNode = {
    ...served.node,
    async solidBlock(...ask) {
      const block = await served.node.solidBlock(...ask)
      return block.ok ? { ok: true, value: { ...block.value, infos: [] } } : block
    },
  }
  const deps = { ...COMPARED, db, log: captured.log, pollMs: 10 }
  const onBlock = async (block: SolidBlock) => {
    await creditBlock(deps, block)
  }
  await readSolidBlocks({ ...deps, node: hiding, height: 0, onBlock })
  const { signal } = new AbortController()
  const compare = (watchersNode: TronNode) =>
    rescanChain({ ...deps, node: served.node, watchersNode }, signal)
  const dueOnes = `select from deposits.chain_difference found where ${DIFFERENCE_IS_DUE}`
  const due = async () => (await db.query(dueOnes)).length
  const silent: TronNode = {
    ...served.node,
    solidBlock: async () => fail({ kind: 'timeout', message: 'it is silent' }),
  }
  const nodes = { hiding, silent, honest: served.node }
  return { database, playerId, compare, due, nodes, lines: captured.lines }
}

it('a deposit that the watcher’s node hid is credited by the comparison once both nodes have it', async () => {
  const { database, playerId, compare, due, nodes, lines: logged } = await hiddenDeposit()
  const { db, owner } = database
  const { hiding, honest } = nodes
  expect(await compare(hiding)).toMatchObject({ found: 1 })
  expect(await cashOf(database, playerId)).toBe(0n)
  expect(logged.join()).toContain('the two nodes name different transfers')
  // However long it takes.
  await database.shiftClock(8 * 24 * 3_600_000)
  expect(await due()).toBe(1)
  const height = await watcherHeight(db, 'local')
  for (const _twice of [1, 2]) expect(await compare(honest)).toMatchObject({ found: 0 })
  expect(await cashOf(database, playerId)).toBe(7n * MICRO)
  expect(await due()).toBe(0)
  expect(await watcherHeight(db, 'local')).toBe(height)
  await expectAlwaysTrue(owner)
})

it('a transfer that one node alone still names on the next day can be explained, and is credited even so once both have it', async () => {
  const { database, playerId, compare, due, nodes } = await hiddenDeposit()
  const { db, owner } = database
  await compare(nodes.hiding)
  const id = await db.value<bigint>('select id from deposits.chain_difference')
  const explain = async () => {
    const session = await staffToken(database, { role: 'finance' })
    return callFunction<string>(db, 'deposits.explain_difference', id, session, 'Its node erred')
  }
  const expectToExplain = async (toExplain: boolean) =>
    expect(await differencePage(db, { order: 'asc' })).toMatchObject({ list: [{ toExplain }] })
  const expectNotYet = async () => {
    await expectToExplain(false)
    expect(await explain()).toBe('not_found')
  }
  await expectNotYet()
  await database.shiftClock(24 * 3_600_000)
  // The other node has not answered on this day.
  await compare(nodes.silent)
  await expectNotYet()
  await compare(nodes.hiding)
  await expectToExplain(true)
  expect(await due()).toBe(1)
  expect(await explain()).toBe('explained')
  await expectToExplain(false)
  expect(await due()).toBe(0)
  await compare(nodes.honest)
  expect(await cashOf(database, playerId)).toBe(7n * MICRO)
  await expectAlwaysTrue(owner)
})

it('a false transfer that the jobs’ login records in an old block, or of a chain of its own, is found on the next day', async () => {
  const { database, playerId, compare, nodes } = await hiddenDeposit()
  const { db, owner } = database
  // The hidden one is credited in its turn, so that an honest one is read again too.
  await compare(nodes.honest)
  // As after a year: these blocks are not compared any more.
  const block = await owner.value<bigint>(
    `update deposits.rescan_height set (begun_after, block) =
       (select block, block from deposits.watcher_height) returning block`,
  )
  const to = await owner.value<string>('select address from deposits.member_address')
  const take = (chain: string, at: bigint, tx: string) =>
    db.query('select deposits.take_block($1, $2, app.now(), $3, $4, true)', [
      ...[chain, at],
      JSON.stringify([
        { tx_id: tx.repeat(32), log_index: 0, from_address: 'T', to_address: to, amount: 5 },
      ]),
      '2020-01-01',
    ])
  expect(await compare(nodes.honest)).toMatchObject({ found: 0 })
  await take('local', 1n, 'aa')
  await beginWatching(db, 'x', 2 ** 30)
  await take('x', 2n ** 30n + 1n, 'bb')
  expect(await cashOf(database, playerId)).toBe(7n * MICRO + 10n)
  await database.shiftClock(24 * 3_600_000)
  expect(await compare(nodes.honest)).toMatchObject({ found: 2 })
  expect(await compare(nodes.honest)).toMatchObject({ found: 0 })
  expect(await differencePage(db, { order: 'desc', due: 'now' })).toMatchObject({
    list: ['bb', 'aa'].map((tx) => ({ kind: 'missing_on_chain', txId: tx.repeat(32) })),
  })
  expect(await owner.value(`select block from deposits.rescan_height where chain = 'local'`)).toBe(
    block,
  )
  await beginWatching(db, 'y', 2 ** 31 - 1)
  for (const [chain, none] of [
    ['local', 0n],
    ['y', 2n ** 31n],
  ] as const) {
    await expect(take(chain, none, 'cc')).rejects.toThrow('transfer_block_check')
  }
})
