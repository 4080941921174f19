import { describe, expect, test } from 'vitest'
import {
  logAddressOfTronAddress,
  topicOfTronAddress,
  tronAddressOfHex,
  USDT_MAINNET_CONTRACT,
} from './tron-address.ts'
import type { TransactionInfo } from './tron-node.ts'
import { TRANSFER_TOPIC, usdtTransfers } from './usdt-transfers.ts'

const alice = addressOf('a1')
const bob = addressOf('b0')
const otherToken = addressOf('ee')
const usdt = logAddressOfTronAddress(USDT_MAINNET_CONTRACT)

function addressOf(byte: string): string {
  const address = tronAddressOfHex(byte.repeat(20))
  if (address === null) throw new Error('no address')
  return address
}

function logOf(change: { address?: string; topics?: unknown; data?: unknown; amount?: bigint }) {
  return {
    address: change.address ?? usdt,
    topics: change.topics ?? [TRANSFER_TOPIC, topicOfTronAddress(alice), topicOfTronAddress(bob)],
    data: change.data ?? (change.amount ?? 1_500_000n).toString(16).padStart(64, '0'),
  }
}

function infoOf(log: unknown[], change: Partial<TransactionInfo> = {}): TransactionInfo {
  return {
    id: 'ab'.repeat(32),
    blockNumber: 61_000_000,
    blockTimeStamp: 1_767_225_600_000,
    receipt: { result: 'SUCCESS' },
    log,
    ...change,
  }
}

function read(...infos: TransactionInfo[]) {
  return usdtTransfers(infos, USDT_MAINNET_CONTRACT)
}

describe('the transfers of a block', () => {
  test('have the topic that every token of the kind uses', () => {
    expect(TRANSFER_TOPIC).toBe('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
  })

  test('are read with sender, receiver and the amount to the micro-unit', () => {
    expect(read(infoOf([logOf({ amount: 12_345_678n })]))).toEqual({
      transfers: [
        {
          txId: 'ab'.repeat(32),
          logIndex: 0,
          blockNumber: 61_000_000,
          blockTime: new Date('2026-01-01T00:00:00Z'),
          from: alice,
          to: bob,
          amountMicro: 12_345_678n,
        },
      ],
      tooLarge: [],
      skipped: [],
    })
  })

  test('keep their position among all logs of the transaction', () => {
    const { transfers } = read(
      infoOf([
        logOf({ address: logAddressOfTronAddress(otherToken) }),
        logOf({ amount: 1n }),
        logOf({ topics: ['00'.repeat(32)] }),
        logOf({ amount: 2n }),
      ]),
    )
    expect(transfers.map((one) => [one.logIndex, one.amountMicro])).toEqual([
      [1, 1n],
      [3, 2n],
    ])
  })

  test('are not those of another contract, nor other events of this one', () => {
    const approval = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
    const result = read(
      infoOf([
        logOf({ address: logAddressOfTronAddress(otherToken) }),
        logOf({ address: 'not an address' }),
        logOf({ topics: [approval, topicOfTronAddress(alice), topicOfTronAddress(bob)] }),
        logOf({ topics: [] }),
      ]),
    )
    expect(result).toEqual({ transfers: [], tooLarge: [], skipped: [] })
  })

  test('are not those of a transaction that failed, whichever field says so', () => {
    for (const failed of [
      { receipt: { result: 'REVERT' } },
      { receipt: { result: 'OUT_OF_ENERGY' } },
      { receipt: {} },
      { receipt: null },
      { result: 'FAILED' },
    ]) {
      expect(read(infoOf([logOf({})], failed))).toEqual({
        transfers: [],
        tooLarge: [],
        skipped: [{ txId: 'ab'.repeat(32), logIndex: 0, reason: 'transaction_failed' }],
      })
    }
  })

  test('that the database cannot store are separated, and those that move nothing are left out', () => {
    const most = 2n ** 63n - 1n
    const result = read(
      infoOf([
        logOf({ amount: most }),
        logOf({ amount: most + 1n }),
        logOf({ data: 'f'.repeat(64) }),
        logOf({ amount: 0n }),
      ]),
    )
    expect(result.transfers.map((one) => one.amountMicro)).toEqual([most])
    expect(result.tooLarge.map(({ logIndex }) => logIndex)).toEqual([1, 2])
  })

  test('that are malformed are skipped with the reason, and the others still read', () => {
    const [topic, from, to] = [TRANSFER_TOPIC, topicOfTronAddress(alice), topicOfTronAddress(bob)]
    const result = read(
      infoOf([
        'nonsense',
        logOf({ topics: [topic, from] }),
        logOf({ topics: [topic, from, to, to] }),
        logOf({ topics: [topic, from, 'ff'.repeat(32)] }),
        logOf({ data: '' }),
        logOf({ data: '00'.repeat(64) }),
        logOf({ amount: 7n }),
      ]),
    )
    expect(result.skipped.map((one) => one.reason)).toEqual([
      'log_form',
      'topic_count',
      'topic_count',
      'topic_form',
      'data_form',
      'data_form',
    ])
    expect(result.transfers.map((one) => [one.logIndex, one.amountMicro])).toEqual([[6, 7n]])
  })

  test('are read from upper case and prefixed hexadecimal too', () => {
    const log = logOf({ amount: 255n })
    const { transfers } = read(
      infoOf([
        {
          address: `41${usdt.toUpperCase()}`,
          topics: (log.topics as string[]).map((topic) => `0x${topic.toUpperCase()}`),
          data: `0x${String(log.data).toUpperCase()}`,
        },
      ]),
    )
    expect(transfers[0]).toMatchObject({ from: alice, to: bob, amountMicro: 255n })
  })

  test('of transactions without logs are none', () => {
    expect(read(infoOf([], { log: null }), infoOf([], { log: undefined })).transfers).toEqual([])
  })
})
