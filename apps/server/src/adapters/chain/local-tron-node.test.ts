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

let file: string

beforeEach(() => {
  file = join(temporaryFolder(), 'chain', 'local-tron.jsonl')
})

describe('a transfer on the local chain', () => {
  test('is part of the balance that the real reader asks for, once its block is solid', async () => {
    const { local, node, send, growSolid } = await serveLocalNode()
    const ask = { contract: USDT_MAINNET_CONTRACT, address: to }
    send(to, 100_000_001n)
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 0n })
    growSolid()
    local.transfer({ to: LOCAL_FAUCET_ADDRESS, from: to, amountMicro: 1n })
    const other = { from: LOCAL_FAUCET_ADDRESS, to, amountMicro: 5n }
    local.add({ transfers: [{ ...other, contract: LOCAL_FAUCET_ADDRESS }] })
    local.add({ transfers: [{ ...other, contract: USDT_MAINNET_CONTRACT }], failed: 'receipt' })
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
    expect(isTronAddress(LOCAL_FAUCET_ADDRESS)).toBe(true)
    for (const [change, expected] of [
      [{}, { ok: true }],
      [{ to: to.replace('T', 'X') }, { fault: 'address' }],
      [{ from: 'me' }, { fault: 'address' }],
      [{ amountMicro: 0n }, { fault: 'amount' }],
      [{ amountMicro: -1n }, { fault: 'amount' }],
      [{ amountMicro: 2n ** 63n }, { fault: 'amount' }],
      [{ amountMicro: 2n ** 63n - 1n }, { ok: true }],
    ] as const)
      expect(node.transfer({ to, amountMicro: 1n, ...change })).toMatchObject(expected)
  })
})

test('the local chain answers like a full node, also to bodies without a type', async () => {
  const { url, grow } = await serveLocalNode()
  grow(3)
  const post = async (path: string, body?: string) => {
    const init = { method: 'POST', ...(body ? { body } : {}) }
    return (await fetch(`${url}/walletsolidity/${path}`, init)).json()
  }
  expect(await post('getnowblock')).toMatchObject({
    block_header: { raw_data: { number: 1, timestamp: startAt + PERIOD_MS } },
  })
  const infos = 'gettransactioninfobyblocknum'
  expect(await post(infos, '{"num":1}')).toEqual([])
  expect(await post(infos, '{"num":5000}')).toEqual([])
  expect(await post(infos, '{"num":0}')).toEqual({})
  expect(await post('getblockbynum', '{"num":2}')).toEqual({})
})

/** Sends USDT on a chain in the file that the process of some moment opens, and closes it. */
function sendAt(now: number, amountMicro: bigint) {
  const node = localTronNode({ file, now: () => now })
  const heights = [node.height(), node.solidHeight()]
  const sent = node.transfer({ to, amountMicro })
  node.close()
  if (!sent.ok) throw new Error(sent.message)
  return { ...sent, heights }
}

describe('the local chain in a file', () => {
  test('keeps its transactions, and continues above the last of them without empty days', () => {
    sendAt(startAt, 7n)
    const deposit = sendAt(startAt + 45 * PERIOD_MS, 7n)
    const next = sendAt(startAt + 10 * 86_400_000, 7n)
    expect(next.heights).toEqual([deposit.blockNumber, deposit.blockNumber])
    expect(next.blockNumber).toBe(deposit.blockNumber + 1)
    expect(next.txId).not.toBe(deposit.txId)
    expect(readFileSync(file, 'utf8')).toContain(deposit.txId)
  })

  test('can be read with any incomplete last line of a process that died', () => {
    let now = startAt
    const node = localTronNode({ file, now: () => now })
    node.transfer({ to, amountMicro: 1n })
    now += 5 * PERIOD_MS
    node.transfer({ to, amountMicro: 2n })
    node.close()
    const fileBytes = readFileSync(file)
    const lastLineAt = fileBytes.lastIndexOf('\n', fileBytes.length - 2) + 1
    for (const cut of [lastLineAt, lastLineAt + 1, lastLineAt + 40, fileBytes.length - 1]) {
      writeFileSync(file, fileBytes.subarray(0, cut))
      sendAt(now, 3n)
      const kept = readFileSync(file, 'utf8').matchAll(/"data":"0*(\d)"/g)
      expect([...kept].map(([, amount]) => amount)).toEqual(['1', '3'])
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
