import { describe, expect, test } from 'vitest'
import {
  logAddressOfTronAddress,
  topicOfTronAddress,
  tronAddressOfHex,
  USDT_MAINNET_CONTRACT,
} from './tron-address.ts'
import type { TransactionInfo } from './tron-node.ts'
import { TRANSFER_TOPIC, usdtTransfers } from './usdt-transfers.ts'

const [alice, bob] = ['a1', 'b0'].map((byte) => tronAddressOfHex(byte.repeat(20)) ?? '')
const [FROM, TO] = [alice, bob].map((address) => topicOfTronAddress(address ?? ''))
const USDT = logAddressOfTronAddress(USDT_MAINNET_CONTRACT)

/** A transfer of so many micro-units from Alice to Bob. */
function logOf(amount: bigint, change: object = {}) {
  const data = amount.toString(16).padStart(64, '0')
  return { address: USDT, topics: [TRANSFER_TOPIC, FROM, TO], data, ...change }
}

const TX = 'ab'.repeat(32)

function infoOf(log: unknown[], change: Partial<TransactionInfo> = {}): TransactionInfo {
  return {
    id: TX,
    blockNumber: 61_000_000,
    blockTimeStamp: 1_767_225_600_000,
    receipt: { result: 'SUCCESS' },
    log,
    ...change,
  }
}

function readLogs(...logs: unknown[]) {
  return usdtTransfers([infoOf(logs)], USDT_MAINNET_CONTRACT)
}

describe('the transfers of a block', () => {
  test('have the topic that every token of the kind uses', () => {
    expect(TRANSFER_TOPIC).toBe('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
  })

  test('are read with sender, receiver and the amount to the micro-unit', () => {
    const transfer = {
      txId: TX,
      logIndex: 0,
      blockNumber: 61_000_000,
      blockTime: new Date('2026-01-01T00:00:00Z'),
      from: alice,
      to: bob,
      amountMicro: 12_345_678n,
    }
    const read = { transfers: [transfer], tooLarge: [], skipped: [] }
    expect(readLogs(logOf(12_345_678n))).toEqual(read)
    // Nodes differ in case and in a leading 0x.
    const { topics, data } = logOf(12_345_678n)
    const upper = {
      address: `41${USDT.toUpperCase()}`,
      topics: topics.map((topic) => `0x${topic?.toUpperCase()}`),
      data: `0x${data.toUpperCase()}`,
    }
    expect(readLogs(upper)).toEqual(read)
  })

  test('are those of this contract alone, at their position among all logs of the transaction', () => {
    const approval = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
    const result = readLogs(
      logOf(9n, { address: 'ee'.repeat(20) }),
      logOf(9n, { address: 'not an address' }),
      logOf(1n),
      logOf(9n, { topics: [approval, FROM, TO] }),
      logOf(9n, { topics: [] }),
      logOf(2n),
    )
    expect(result).toMatchObject({
      transfers: [
        { logIndex: 2, amountMicro: 1n },
        { logIndex: 5, amountMicro: 2n },
      ],
      tooLarge: [],
      skipped: [],
    })
  })

  test('are not those of a transaction that failed, whichever field says so', () => {
    for (const failed of [
      { receipt: { result: 'REVERT' } },
      { receipt: { result: 'OUT_OF_ENERGY' } },
      { receipt: {} },
      { receipt: null },
      { result: 'FAILED' },
    ]) {
      expect(usdtTransfers([infoOf([logOf(1n)], failed)], USDT_MAINNET_CONTRACT)).toEqual({
        transfers: [],
        tooLarge: [],
        skipped: [{ txId: TX, logIndex: 0, reason: 'transaction_failed' }],
      })
    }
  })

  test('that the database cannot store are separated, and those that move nothing are left out', () => {
    const most = 2n ** 63n - 1n
    const more = { data: 'f'.repeat(64) }
    const result = readLogs(logOf(most), logOf(most + 1n), logOf(0n, more), logOf(0n))
    expect(result.transfers.map((one) => one.amountMicro)).toEqual([most])
    expect(result.tooLarge.map(({ logIndex }) => logIndex)).toEqual([1, 2])
  })

  test.each([
    ['log_form', 'nonsense'],
    ['topic_count', logOf(1n, { topics: [TRANSFER_TOPIC, FROM] })],
    ['topic_count', logOf(1n, { topics: [TRANSFER_TOPIC, FROM, TO, TO] })],
    ['topic_form', logOf(1n, { topics: [TRANSFER_TOPIC, FROM, 'ff'.repeat(32)] })],
    ['data_form', logOf(1n, { data: '' })],
    ['data_form', logOf(1n, { data: '00'.repeat(64) })],
  ])('that are malformed (%s) are skipped, and the others still read', (reason, log) => {
    const { skipped, transfers } = readLogs(log, logOf(7n))
    expect(skipped).toEqual([{ txId: TX, logIndex: 0, reason }])
    expect(transfers).toMatchObject([{ logIndex: 1, amountMicro: 7n }])
  })

  test('of transactions without logs are none', () => {
    const infos = [infoOf([], { log: null }), infoOf([], { log: undefined })]
    expect(usdtTransfers(infos, USDT_MAINNET_CONTRACT).transfers).toEqual([])
  })
})
