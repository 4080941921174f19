import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { LOCAL_FAUCET_ADDRESS, localTronNode } from './local-tron-node.ts'
import { isTronAddress, USDT_MAINNET_CONTRACT } from './tron-address.ts'

const to = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const PERIOD_MS = 3_000
const startAt = Date.UTC(2026, 0, 1)

let folder: string
let file: string

beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'chain', 'local-tron.jsonl')
})

function sent(outcome: ReturnType<ReturnType<typeof localTronNode>['transfer']>) {
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}

describe('a transfer on the local chain', () => {
  test('is part of the balance that the real reader asks for, once its block is solid', async () => {
    const { local, node, growSolid } = await serveLocalNode()
    const ask = { contract: USDT_MAINNET_CONTRACT, address: to }
    sent(local.transfer({ to, amountMicro: 100_000_001n }))
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 0n })
    growSolid()
    sent(local.transfer({ to: LOCAL_FAUCET_ADDRESS, from: to, amountMicro: 1n }))
    const other = { contract: LOCAL_FAUCET_ADDRESS, from: LOCAL_FAUCET_ADDRESS, to }
    local.add({ transfers: [{ ...other, amountMicro: 5n }] })
    local.add({
      transfers: [{ ...other, contract: USDT_MAINNET_CONTRACT, amountMicro: 5n }],
      failed: 'receipt',
    })
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 100_000_001n })
    growSolid()
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 100_000_000n })
    const ofFaucet = { ...ask, address: LOCAL_FAUCET_ADDRESS }
    expect(await node.solidBalance(ofFaucet)).toEqual({ ok: true, value: 0n })
    for (const [kind, failure] of [
      ['malformed', 'malformed'],
      ['error200', 'node_error'],
      ['empty', 'malformed'],
    ] as const) {
      failNext(local, { kind, call: 'triggerconstantcontract' })
      expect(await node.solidBalance(ask)).toMatchObject({ failure: { kind: failure } })
    }
  })

  test('to no address, of zero, of less than zero or of too much is refused', () => {
    const node = localTronNode()
    const faultOf = (change: object) => {
      const outcome = node.transfer({ to, amountMicro: 1n, ...change })
      return outcome.ok ? null : outcome.fault
    }
    expect(isTronAddress(LOCAL_FAUCET_ADDRESS)).toBe(true)
    expect(faultOf({})).toBeNull()
    expect(faultOf({ to: to.replace('T', 'X') })).toBe('address')
    expect(faultOf({ from: 'me' })).toBe('address')
    expect(faultOf({ amountMicro: 0n })).toBe('amount')
    expect(faultOf({ amountMicro: -1n })).toBe('amount')
    expect(faultOf({ amountMicro: 2n ** 63n })).toBe('amount')
    expect(faultOf({ amountMicro: 2n ** 63n - 1n })).toBeNull()
  })
})

describe('the local chain', () => {
  test('answers like a full node, also to bodies without a type', async () => {
    const { url, grow } = await serveLocalNode()
    grow(3)
    const post = async (path: string, body?: string) => {
      const response = await fetch(url + path, { method: 'POST', ...(body ? { body } : {}) })
      return [response.status, await response.json()] as const
    }
    expect(await post('/walletsolidity/getnowblock')).toMatchObject([
      200,
      {
        block_header: { raw_data: { number: 1, timestamp: startAt + PERIOD_MS } },
      },
    ])
    const infos = '/walletsolidity/gettransactioninfobyblocknum'
    expect(await post(infos, '{"num":1}')).toEqual([200, []])
    expect(await post(infos, '{"num":5000}')).toEqual([200, []])
    expect(await post(infos, '{"num":0}')).toEqual([200, {}])
    expect(await post('/walletsolidity/getblockbynum', '{"num":2}')).toEqual([200, {}])
  })
})

describe('the local chain in a file', () => {
  test('keeps its transactions, and continues above the last of them without empty days', () => {
    let now = startAt
    const clock = () => now
    const first = localTronNode({ file, now: clock })
    now += 45 * PERIOD_MS
    const deposit = sent(first.transfer({ to, amountMicro: 7n }))
    first.close()
    now += 10 * 86_400_000
    const second = localTronNode({ file, now: clock })
    expect(second.height()).toBe(deposit.blockNumber)
    expect(second.solidHeight()).toBe(deposit.blockNumber)
    const next = sent(second.transfer({ to, amountMicro: 7n }))
    expect(next.blockNumber).toBe(deposit.blockNumber + 1)
    expect(next.txId).not.toBe(deposit.txId)
    second.close()
    expect(readFileSync(file, 'utf8')).toContain(deposit.txId)
  })

  test('can be read with any incomplete last line of a process that died', () => {
    let now = startAt
    const node = localTronNode({ file, now: () => now })
    const firstTransfer = sent(node.transfer({ to, amountMicro: 1n }))
    now += 5 * PERIOD_MS
    const lost = sent(node.transfer({ to, amountMicro: 2n }))
    node.close()
    const fileBytes = readFileSync(file)
    const lastLineAt = fileBytes.lastIndexOf('\n', fileBytes.length - 2) + 1
    for (const cut of [lastLineAt, lastLineAt + 1, lastLineAt + 40, fileBytes.length - 1]) {
      writeFileSync(file, fileBytes.subarray(0, cut))
      const again = localTronNode({ file, now: () => now })
      const added = sent(again.transfer({ to, amountMicro: 3n }))
      again.close()
      const text = readFileSync(file, 'utf8')
      expect(text).toContain(firstTransfer.txId)
      expect(text).toContain(added.txId)
      expect(text).not.toContain(lost.txId)
      localTronNode({ file, now: () => now }).close()
    }
  })

  test('that is damaged anywhere before its end is refused, with the number of the line', () => {
    localTronNode({ file }).close()
    appendFileSync(file, '{"blockNumber":9}\nx\n{"blockNumber":10}\n')
    expect(() => localTronNode({ file })).toThrow('line 2 is damaged')
    for (const line of ['null', '{"type":"start"}']) {
      writeFileSync(file, `${line}\n`)
      expect(() => localTronNode({ file })).toThrow('line 1 is damaged')
    }
  })

  test('begins above the position of its watcher', () => {
    const node = localTronNode({ file, now: () => startAt, heightMin: 5_000 })
    expect(node.height()).toBe(5_000)
    node.close()
  })
})
