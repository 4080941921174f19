import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clearFailures, failNext } from '#testing/hosts/local-node-failures.ts'
import { serveLocalNode } from '#testing/hosts/served-local-node.ts'
import {
  commonSolidHead,
  confirmTransfers,
  FIRST_PACE,
  paceAfter,
  readSeenTransfers,
  readSolidBlocks,
  type SolidBlock,
  type WatchStep,
} from './chain-watcher.ts'
import { LOCAL_FAUCET_ADDRESS } from './local-tron-node.ts'
import { topicOfTronAddress, tronAddressOfHex, USDT_MAINNET_CONTRACT } from './tron-address.ts'
import { fail } from './tron-call.ts'
import type { TronBlock, TronNode } from './tron-node.ts'
import { usdtTransfers } from './usdt-transfers.ts'

const contract = USDT_MAINNET_CONTRACT
const from = LOCAL_FAUCET_ADDRESS
const to = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const addressOf = (byte: string) => tronAddressOfHex(byte.repeat(20)) ?? ''
const fakeUsdt = addressOf('fa')

/** Replaces the database: the position and the effect of a block, committed together. */
function bookOf() {
  const book = {
    height: 0,
    blocks: [] as number[],
    credits: [] as string[],
    commit(block: SolidBlock): void {
      if (block.blockNumber !== book.height + 1) throw new Error('a block was left out')
      for (const { txId, logIndex, amountMicro, to: receiver } of block.transfers) {
        book.credits.push(`${txId}:${logIndex} ${amountMicro} ${receiver}`)
      }
      book.blocks.push(block.blockNumber)
      book.height = block.blockNumber
    },
  }
  return book
}

function stepOf(
  node: TronNode,
  book: ReturnType<typeof bookOf>,
  more: Partial<Parameters<typeof readSolidBlocks>[0]> = {},
) {
  const onBlock = async (block: SolidBlock) => book.commit(block)
  return readSolidBlocks({ node, contract, height: book.height, onBlock, ...more })
}

describe('a step of the watcher', () => {
  test('reads from its position to the solid height, in order, and reports both', async () => {
    const { node, send, grow } = await serveLocalNode()
    const book = bookOf()
    await grow(12)
    expect(await stepOf(node, book)).toEqual({ handled: 10, height: 10, solidHeight: 10 })
    expect(book.blocks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await stepOf(node, book)).toEqual({ handled: 0, height: 10, solidHeight: 10 })
    const { txId } = await send(to, 1n)
    await grow(2)
    expect(await stepOf(node, book)).toMatchObject({ handled: 2, height: 12 })
    expect(book.credits).toEqual([])
    await grow(1)
    await stepOf(node, book)
    expect(book.credits).toEqual([`${txId}:0 1 ${to}`])
  })

  test('ends where a second node’s solid blocks end, so that the first cannot invent a height', async () => {
    const { node, grow } = await serveLocalNode()
    const book = bookOf()
    await grow(12)
    const inventing: TronNode = {
      ...node,
      solidHead: async () => ({ ok: true, value: { blockNumber: 1_000_000, blockTime: null } }),
      solidBlock: async ({ blockNumber }) => ({
        ok: true,
        value: { blockNumber, blockTime: null, infos: [] },
      }),
    }
    const step = (second: TronNode) => stepOf(inventing, book, { second })
    expect(await step(node)).toEqual({ handled: 10, height: 10, solidHeight: 10 })
    const solidHead = async () => fail({ kind: 'timeout' as const, message: 'silent' })
    const stopped = { handled: 0, height: 10, stoppedBy: { kind: 'timeout' } }
    expect(await step({ ...node, solidHead })).toMatchObject(stopped)
  })

  test('that is far behind reads in batches, and requests a limited number of blocks at once', async () => {
    const { node, grow } = await serveLocalNode()
    await grow(42)
    let open = 0
    let most = 0
    const counted: TronNode = {
      ...node,
      async solidBlock(ask, signal) {
        open += 1
        most = Math.max(most, open)
        const answer = await node.solidBlock(ask, signal)
        open -= 1
        return answer
      },
    }
    const book = bookOf()
    const heights: number[] = []
    while (book.height < 40) heights.push((await stepOf(counted, book, { maxBlocks: 15 })).height)
    expect(heights).toEqual([15, 30, 40])
    expect(most).toBe(4)
  })

  test('waits for a node that has gone back below the position', async () => {
    const { node, local, grow } = await serveLocalNode()
    const book = bookOf()
    await grow(20)
    await stepOf(node, book)
    local.setBack(6)
    expect(await stepOf(node, book)).toMatchObject({
      handled: 0,
      height: 18,
      solidHeight: 12,
      stoppedBy: { kind: 'node_behind' },
    })
    await grow(3)
    expect((await stepOf(node, book)).stoppedBy?.kind).toBe('node_behind')
    local.setBack(0)
    expect(await stepOf(node, book)).toEqual({ handled: 3, height: 21, solidHeight: 21 })
  })

  test('skips no block if a node lags behind the height that another reported', async () => {
    const { node, local, send, grow } = await serveLocalNode()
    const book = bookOf()
    await send(to, 9n)
    await grow(10)
    // Heights come from one node, blocks from another that has only three of them.
    const balanced: TronNode = {
      ...node,
      solidHead: async () => ({ ok: true, value: { blockNumber: 8, blockTime: null } }),
    }
    local.setBack(5)
    const stopped = { handled: 3, height: 3, stoppedBy: { kind: 'not_yet' } }
    expect(await stepOf(balanced, book)).toMatchObject(stopped)
    local.setBack(0)
    expect(await stepOf(balanced, book)).toMatchObject({ handled: 5, height: 8 })
    expect(book.credits).toHaveLength(1)
  })

  test('ends when it is cancelled', async () => {
    const { node, grow } = await serveLocalNode()
    await grow(52)
    const book = bookOf()
    const stopping = new AbortController()
    const onBlock = async (block: SolidBlock) => {
      book.commit(block)
      if (block.blockNumber === 5) stopping.abort()
    }
    const step = await stepOf(node, book, { signal: stopping.signal, onBlock })
    expect(step).toMatchObject({ handled: 5, height: 5 })
  })
})

describe('a second node', () => {
  test('that says something else of a block with a transfer to us confirms nothing', async () => {
    const { node, send, grow } = await serveLocalNode()
    await send(to, 5n)
    await grow(4)
    const answer = await node.solidBlock({ blockNumber: 1 })
    if (!answer.ok) throw new Error(answer.failure.message)
    const { blockTime, infos } = answer.value
    const block = { blockNumber: 1, blockTime, ...usdtTransfers(infos, contract) }
    const confirmed = (said: Partial<TronBlock>) =>
      confirmTransfers(
        { ...node, solidBlock: async () => ({ ok: true, value: { ...answer.value, ...said } }) },
        block,
        { contract, ours: new Set([to]), signal: new AbortController().signal },
      )
    await confirmed({})
    const topicOf = (address: string) => topicOfTronAddress(address) ?? ''
    const changed = (earlier: string, later: string) => ({
      infos: JSON.parse(JSON.stringify(infos).replaceAll(earlier, later)),
    })
    for (const said of [
      { blockTime: null },
      { blockTime: new Date(0) },
      { infos: [] },
      changed(topicOf(from), topicOf(fakeUsdt)),
      changed(topicOf(to), topicOf(fakeUsdt)),
      changed('5"', '6"'),
    ]) {
      await expect(confirmed(said), JSON.stringify(said)).rejects.toThrow('different transfers')
    }
  })

  test('that has another time for its head leaves the earlier one, and none if one says none', async () => {
    const { node } = await serveLocalNode()
    const saying = (ms: number | null): TronNode => {
      const blockTime = ms === null ? null : new Date(ms)
      return {
        ...node,
        solidHead: async () => ({ ok: true, value: { blockNumber: 7, blockTime } }),
      }
    }
    for (const [first, second, common] of [
      [9, 50, 9],
      [50, 9, 9],
      [9, null, null],
      [null, 9, null],
    ] as const) {
      const head = await commonSolidHead({ node: saying(first), second: saying(second) })
      expect(head.ok && (head.value.blockTime?.getTime() ?? null)).toBe(common)
    }
  })
})

describe('transfers that are not solid yet', () => {
  test('are seen once each, before the watcher passes them on', async () => {
    const { node, local, send, grow } = await serveLocalNode()
    const seenAfter = (after: number) => readSeenTransfers({ node, contract, after })
    await grow(6)
    const { txId } = await send(to, 3n)
    await grow(1)
    const transfers = [{ txId, from, to, amountMicro: 3n }]
    expect(await seenAfter(await local.solidHeight())).toMatchObject({ height: 7, transfers })
    expect(await seenAfter(7)).toEqual({ height: 7, transfers: [] })
    // Another node behind the same address is three blocks late: its `[]` says nothing of the block.
    failNext(local, { kind: 'empty', call: 'gettransactioninfobyblocknum' })
    failNext(local, { kind: 'empty', call: 'getblockbynum' })
    const late = { height: 6, transfers: [], stoppedBy: { kind: 'not_yet' } }
    expect(await seenAfter(6)).toMatchObject(late)
    failNext(local, { kind: 'http429', call: 'gettransactioninfobyblocknum' })
    const refused = { height: 5, stoppedBy: { kind: 'rate_limited' } }
    expect(await seenAfter(5)).toMatchObject(refused)
  })
})

describe('the pace of the watcher', () => {
  const after = (step: Partial<WatchStep>, previous = FIRST_PACE) =>
    paceAfter(previous, { handled: 0, height: 10, solidHeight: 10, ...step })
  const failed = (change: object = {}): Partial<WatchStep> => ({
    stoppedBy: { ...fail({ kind: 'http', message: '' }).failure, ...change },
  })
  const limited = (retryAfterMs: number) => failed({ kind: 'rate_limited', retryAfterMs })

  test.each([
    ['no pause while blocks are left', { handled: 5, solidHeight: 90 }, 0],
    ['one block time at the node’s height', {}, 3_000],
    ['the pause that the node asks for', limited(7_000), 7_000],
    ['no shorter one, if the node asks for less', limited(10), 1_000],
    ['an hour at most, if the node asks for more', limited(1e12), 3_600_000],
    ['half a minute for a node that refuses', failed({ kind: 'refused' }), 30_000],
  ])('has %s', (_what, step, waitMs) => {
    expect(after(step).waitMs).toBe(waitMs)
  })

  test('doubles from a second to a minute while failures follow each other, also of the handler', () => {
    let pace = FIRST_PACE
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60, 60]) {
      pace = after(failed(seconds === 4 ? { kind: 'handler' } : {}), pace)
      expect(pace.waitMs).toBe(seconds * 1_000)
    }
    expect(after({ handled: 1, ...failed() }, pace).waitMs).toBe(1_000)
    // A block that is missing, and a node that is behind, are no failures.
    for (const none of [{}, failed({ kind: 'not_yet' }), failed({ kind: 'node_behind' })])
      expect(after(none, pace)).toEqual({ failuresInRow: 0, waitMs: 3_000 })
  })
})

const transaction = fc.record({
  act: fc.constant('transaction'),
  shape: fc.oneof(
    { weight: 4, arbitrary: fc.constant('usdt' as const) },
    { weight: 3, arbitrary: fc.constantFrom('mixed', 'fake', 'reverted', 'receipt', 'info') },
  ),
  amounts: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 5_000_000_000n }) },
      { weight: 2, arbitrary: fc.constantFrom(0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 256n - 1n) },
    ),
    { minLength: 1, maxLength: 4 },
  ),
})

const INFOS = 'gettransactioninfobyblocknum'

const failure = fc.record({
  act: fc.constant('fail'),
  kind: fc.constantFrom('http429', 'http403', 'error200', 'empty', 'malformed'),
  // Half of them affect the call for transactions, where a mistake would cost money.
  call: fc.constantFrom('getnowblock', 'getblockbynum', INFOS, INFOS),
  times: fc.integer({ min: 1, max: 4 }),
})

const growth = fc.record({ act: fc.constant('grow'), blocks: fc.integer({ min: 1, max: 6 }) })
const setback = fc.record({ act: fc.constant('back'), blocks: fc.constantFrom(0, 0, 1, 3, 9) })
const restart = fc.record({ act: fc.constant('restart node') })

const steps = fc.record({
  act: fc.constant('step'),
  maxBlocks: fc.integer({ min: 1, max: 12 }),
  dieAt: fc.constantFrom('never', 'never', 'before commit', 'after commit'),
})

const act = fc.oneof(
  { weight: 12, arbitrary: transaction },
  { weight: 5, arbitrary: growth },
  { weight: 3, arbitrary: failure },
  { weight: 2, arbitrary: setback },
  { weight: 6, arbitrary: steps },
  { weight: 2, arbitrary: restart },
)

/**
 * Goal: nothing is lost and nothing comes twice. Method: twice about 100 transactions of every kind on a chain that
 * is served over HTTP, with planned failures, heights that go back, watchers that die before or after their commit,
 * and restarts of the node; then an end without failures.
 */
test('the watcher passes on exactly the USDT transfers that succeeded', async () => {
  let transactions = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 250, maxLength: 250, size: 'max' }),
      async (acts) => {
        let chain = await serveLocalNode()
        const book = bookOf()
        const expected: string[] = []
        for (const one of acts) {
          if (one.act === 'transaction') {
            transactions += 1
            const isFake = (at: number) =>
              one.shape === 'fake' || (one.shape === 'mixed' && at % 2 === 0)
            const transfers = one.amounts.map((amountMicro, at) => ({
              from,
              to: addressOf(`1${at}`),
              amountMicro,
              contract: isFake(at) ? fakeUsdt : contract,
            }))
            const { shape } = one
            if (shape === 'reverted' || shape === 'receipt' || shape === 'info') {
              await chain.local.add({ transfers, failed: shape })
              continue
            }
            const { txId } = await chain.local.add({ transfers })
            for (const [at, { amountMicro, to: receiver }] of transfers.entries()) {
              if (isFake(at) || amountMicro < 1n || amountMicro > 2n ** 63n - 1n) continue
              expected.push(`${txId}:${at} ${amountMicro} ${receiver}`)
            }
          } else if (one.act === 'grow') await chain.grow(one.blocks)
          else if (one.act === 'fail') failNext(chain.local, one)
          else if (one.act === 'back') chain.local.setBack(one.blocks)
          else if (one.act === 'restart node') {
            await chain.close()
            chain = await serveLocalNode({ database: chain.database })
          } else {
            const before = book.height
            let handlings = 0
            const onBlock = async (block: SolidBlock) => {
              handlings += 1
              const dies = one.dieAt !== 'never' && handlings === 2
              if (dies && one.dieAt === 'before commit') throw new Error('died')
              book.commit(block)
              if (dies) throw new Error('died')
            }
            const step = await stepOf(chain.node, book, { maxBlocks: one.maxBlocks, onBlock })
            expect(step.handled).toBe(step.height - before)
            const unreported = one.dieAt === 'after commit' && step.stoppedBy?.kind === 'handler'
            expect(book.height).toBe(step.height + (unreported ? 1 : 0))
          }
        }
        clearFailures(chain.local)
        chain.local.setBack(0)
        await chain.growSolid()
        while (book.height < (await chain.local.solidHeight())) {
          expect((await stepOf(chain.node, book)).stoppedBy).toBeUndefined()
        }
        expect(book.blocks).toEqual(book.blocks.map((_, index) => index + 1))
        expect(book.credits).toEqual(expected)
      },
    ),
    { numRuns: 2, endOnFailure: true },
  )
  expect(transactions).toBeGreaterThan(150)
})
