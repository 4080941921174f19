/**
 * A thousand transfers of every kind, through a node that fails in every way, across restarts and a long downtime: at
 * the end the ledger equals the chain's own file, member by member.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recharge } from '@sum28/contract/money-routes.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LocalTransaction, LocalTransfer } from '#src/adapters/chain/local-tron-chain.ts'
import { LOCAL_FAUCET_ADDRESS, localTronNode } from '#src/adapters/chain/local-tron-node.ts'
import {
  hexOfTronAddress,
  tronAddressOfHex,
  USDT_MAINNET_CONTRACT,
} from '#src/adapters/chain/tron-address.ts'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { clearFailures, failNext, type LocalFailure } from '#testing/hosts/local-node-failures.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { timeOf } from '#testing/product/play-round.ts'
import {
  createTestApp,
  eventually,
  keepFromRunning,
  registerMember,
  type TestApp,
} from '#testing/product/test-app.ts'
import { rescanChain } from './chain-rescan.ts'

const TRANSFERS = 1_000
const MEMBERS = ['ann_lee', 'bob_ray', 'cat_kim', 'dan_fox', 'eve_ito', 'fay_frozen']
/** The number of blocks by which the chain grows while the product is down. */
const BLOCKS_AWAY = 500
/** The number of blocks that are read a second time, as after restoring an old position from a backup. */
const BLOCKS_AGAIN = 150

/** The contract of USDT in the form of logs, from TRON's own explorer and not from our reader. */
const USDT_HEX = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'

type Generator = {
  /** A whole number from 0, below `count`. */
  below(count: number): number
  one<Item>(items: readonly Item[]): Item
}

/** Numbers derived from a seed, so that a run can be repeated. */
function generator(seed: string): Generator {
  let drawn = 0
  function below(count: number): number {
    drawn += 1
    return createHash('sha256').update(`${seed}:${drawn}`).digest().readUIntBE(0, 6) % count
  }
  return {
    below,
    one(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to choose from')
      return item
    },
  }
}

function amountFrom({ below }: Generator): bigint {
  const kind = below(20)
  if (kind < 3) return 1n
  if (kind < 5) return 10n ** 15n + BigInt(below(1_000_000))
  if (kind < 6) return 0n
  if (kind < 7) return [2n ** 63n, 2n ** 64n + 5n, 2n ** 256n - 1n][below(3)] ?? 0n
  if (kind < 12) return BigInt(below(5_000) + 1) * 1_000_000n
  return BigInt(below(5_000_000_000) + 1)
}

/** A transaction: plain, of several transfers, with tokens that are not USDT, or failed. */
function transactionFrom(
  random: Generator,
  targets: { members: readonly string[]; spare: readonly string[]; strangers: readonly string[] },
): LocalTransaction {
  const fake = tronAddressOfHex('fa'.repeat(20)) ?? ''
  const shape = random.below(20)
  const count = shape < 8 ? 1 : 1 + random.below(6)
  const transfers = Array.from({ length: count }, (): LocalTransfer => {
    const whose = random.below(12)
    const to = random.one(
      whose < 8 ? targets.members : whose < 10 ? targets.spare : targets.strangers,
    )
    const isFake = shape === 19 || (shape >= 15 && random.below(3) === 0)
    return {
      to,
      from: random.one([LOCAL_FAUCET_ADDRESS, ...targets.members]),
      amountMicro: amountFrom(random),
      contract: isFake ? fake : USDT_MAINNET_CONTRACT,
    }
  })
  const failed = shape >= 12 && shape < 15 ? random.one(['reverted', 'receipt', 'info']) : undefined
  return { transfers, ...(failed ? { failed: failed as 'reverted' } : {}) }
}

type Truth = { key: string; toHex: string; amount: bigint }

/** The USDT movements in the chain's file, read without the product's reader. */
function truthIn(file: string): { all: number; moved: Truth[]; tooLarge: number } {
  type Info = {
    id: string
    receipt: { result: string }
    result?: string
    log?: { address: string; topics: string[]; data: string }[]
  }
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as { type: string; info: Info })
  const truth: ReturnType<typeof truthIn> = { all: 0, moved: [], tooLarge: 0 }
  for (const { type, info } of records) {
    if (type !== 'transaction') continue
    truth.all += 1
    if (info.receipt.result !== 'SUCCESS' || info.result === 'FAILED') continue
    for (const [index, { address, topics, data }] of (info.log ?? []).entries()) {
      const amount = BigInt(`0x${data}`)
      if (address !== USDT_HEX || amount === 0n) continue
      // More than the whole supply many times over: no ledger holds it, and it is logged.
      if (amount >= 2n ** 63n) truth.tooLarge += 1
      else
        truth.moved.push({ key: `${info.id}:${index}`, toHex: topics[2]?.slice(24) ?? '', amount })
    }
  }
  return truth
}

function chainOf({ app }: TestApp) {
  if (!app.chain) throw new Error('the demo has a chain')
  return app.chain
}

it(`after ${TRANSFERS} fuzzed transfers the ledger agrees with the chain`, async () => {
  const { seed } = fc.readConfigureGlobal()
  console.log(`fuzzed transfers: PROPERTY_SEED=${seed}`)
  const random = generator(String(seed))
  const { log, lines } = captureLog()
  const test = await createTestApp({}, { log })
  const { owner, db } = test.database
  const file = join(test.config.dataDir, 'chain.jsonl')

  const members: { id: number; address: string }[] = []
  for (const name of MEMBERS) {
    const member = await registerMember(test, name)
    const { usdt } = (await test.call(recharge, {}, member)).data
    members.push({ id: member.id, address: usdt ?? '' })
  }
  await keepFromRunning(test.database, 'compare-with-chain')
  await owner.query(`update accounts.player set state = 'frozen' where username = 'fay_frozen'`)
  const spare = await eventually(async () => {
    const rows = await owner.query<{ address: string }>(
      `select address from deposits.spare_address
       where derivation_index in (${MEMBERS.length}, ${MEMBERS.length + 3}, ${MEMBERS.length + 19})`,
    )
    return rows.length === 3 ? rows.map(({ address }) => address) : undefined
  })
  const targets = {
    members: members.map(({ address }) => address),
    spare,
    strangers: [LOCAL_FAUCET_ADDRESS, tronAddressOfHex('5a'.repeat(20)) ?? ''],
  }

  let sent = 0
  /** Sends transactions until this many transfers are on the chain. */
  async function sendUntil(
    total: number,
    add: (transaction: LocalTransaction) => unknown,
    between: () => unknown = () => {},
  ): Promise<void> {
    while (sent < total) {
      const transaction = transactionFrom(random, targets)
      sent += transaction.transfers.length
      add(transaction)
      await between()
    }
  }

  /** Adds a failure and waits until the watcher has logged a line with these words. */
  async function meets(words: string, failure: LocalFailure): Promise<void> {
    const met = () => lines.filter((line) => line.includes(words)).length
    const before = met()
    failNext(chainOf(test), { times: 100, ...failure })
    await test.addBlocks(1)
    await eventually(() => met() > before || undefined)
    clearFailures(chainOf(test))
  }

  /** Waits until the watcher has handled all present blocks. Returns its position. */
  function level(): Promise<number> {
    const height = chainOf(test).solidHeight()
    return eventually(async () => {
      const [row] = await owner.query<{ block: bigint }>(
        'select block from deposits.watcher_height',
      )
      return row && row.block >= height ? Number(row.block) : undefined
    })
  }

  const online = (transaction: LocalTransaction) => chainOf(test).add(transaction)
  const someTime = () => (random.below(8) === 0 ? test.addBlocks(1 + random.below(2)) : null)
  const infos = 'gettransactioninfobyblocknum'

  // A node that fails at random.
  await sendUntil(120, online, someTime)
  await meets('"kind":"rate_limited"', { kind: 'http429', call: 'getnowblock' })
  await sendUntil(180, online, someTime)
  await meets('"kind":"node_error"', { kind: 'error200', call: infos })
  await sendUntil(240, online, someTime)
  await meets('"kind":"malformed"', { kind: 'malformed', call: infos })
  await sendUntil(300, online, someTime)
  await meets('"kind":"not_yet"', { kind: 'empty', call: infos })
  const height = await level()
  // The chain may have grown by many blocks meanwhile.
  chainOf(test).setBack(chainOf(test).height() - height + 100)
  await sendUntil(340, online, someTime)
  await eventually(() => lines.some((line) => line.includes('"node_behind"')) || undefined)
  chainOf(test).setBack(0)

  // A restart while the node refuses us; meanwhile the chain continues.
  await meets('suspended for 30s', { kind: 'http403', call: 'getnowblock' })
  await sendUntil(380, online)
  await test.stop()
  let clock = Math.ceil(await timeOf(test))
  const away = localTronNode({ file, now: () => clock, periodMs: 1 })
  const begun = away.height()
  await sendUntil(
    700,
    (transaction) => away.add(transaction),
    () => {
      clock += random.below(4)
    },
  )
  clock += BLOCKS_AWAY - (away.height() - begun)
  expect(away.height() - begun).toBe(BLOCKS_AWAY)
  away.close()

  // Running again, and far behind; the node and the database fail while the watcher catches up.
  await test.restart()
  for (const failure of [
    { kind: 'error200', call: infos },
    { kind: 'http429', call: infos },
    { kind: 'empty', call: 'getblockbynum' },
  ] as const) {
    failNext(chainOf(test), failure)
  }
  await sendUntil(850, online, someTime)
  await test.database.takeAway()
  await sendUntil(880, online)
  await test.database.giveBack()
  // This test's own pool may still hold connections that were ended with the database.
  await eventually(() =>
    owner.query('select 1').then(
      () => true,
      () => undefined,
    ),
  )
  await sendUntil(940, online, someTime)
  await level()

  // All of the last blocks again.
  await test.stop()
  await owner.query('update deposits.watcher_height set block = block - $1', [BLOCKS_AGAIN])
  await test.restart()
  await sendUntil(TRANSFERS, online, someTime)
  await test.addBlocks()
  await level()

  const truth = truthIn(file)
  const movedTo = (address: string) => {
    const hex = hexOfTronAddress(address).slice(2)
    return truth.moved.filter(({ toHex }) => toHex === hex)
  }
  const sum = (moved: readonly Truth[]) => moved.reduce((total, { amount }) => total + amount, 0n)
  const keys = (moved: readonly Truth[]) => moved.map(({ key }) => key).sort()
  for (const { id, address } of members) {
    const [row] = await owner.query(
      `select cash, held, (select count(*)::integer from ledger.posting where holder_id = $1) as postings,
         (select count(*)::integer from inbox.message where player_id = $1) as notices,
         (select array_agg(tx_id || ':' || log_index) from deposits.transfer where player_id = $1) as transfers
       from ledger.balance where holder_id = $1`,
      [id],
    )
    const moved = movedTo(address)
    expect(moved.length).toBeGreaterThan(20)
    const { transfers, ...money } = row as { transfers: string[] }
    expect(transfers.sort()).toEqual(keys(moved))
    expect(money).toEqual({
      cash: sum(moved),
      held: 0n,
      postings: moved.length,
      // A deposit of less than one unit causes no notice.
      notices: moved.filter(({ amount }) => amount >= 1_000_000n).length,
    })
  }
  const unmatched = spare.flatMap(movedTo)
  expect(unmatched.length).toBeGreaterThan(20)
  const storedTransfers = await owner.query<{ key: string; amount: bigint }>(
    `select tx_id || ':' || log_index as key, amount from deposits.transfer where player_id is null`,
  )
  expect(storedTransfers.map(({ key }) => key).sort()).toEqual(keys(unmatched))
  expect(storedTransfers.reduce((total, { amount }) => total + amount, 0n)).toBe(sum(unmatched))
  expect(truth.tooLarge).toBeGreaterThan(5)
  const reported = lines.filter((line) => line.includes('too large to be recorded'))
  expect(reported.length).toBeGreaterThanOrEqual(truth.tooLarge)
  await expectAlwaysTrue(owner)

  // The daily comparison finds the same.
  const compared = await rescanChain(
    {
      db,
      node: tronNode({ url: `${test.app.url}/tron` }),
      watchersNode: tronNode({ url: `${test.app.url}/tron` }),
      ...{ timeZone: 'UTC', now: Date.now },
      contract: USDT_MAINNET_CONTRACT,
      chain: 'local',
      pollMs: 50,
      log,
    },
    new AbortController().signal,
  )
  expect(compared.blocks).toBeGreaterThan(BLOCKS_AWAY)
  expect(
    await owner.query(
      'select kind, count(*)::integer as count from deposits.chain_difference group by kind',
    ),
  ).toEqual([{ kind: 'unmatched', count: unmatched.length }])
  for (const address of [...targets.members, ...spare]) {
    expect(lines.filter((line) => line.includes(address))).toEqual([])
  }
})
