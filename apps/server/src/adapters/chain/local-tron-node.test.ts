import { describe, expect, test } from 'vitest'
import type { Database } from '#src/db/database.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { failNext } from '#testing/hosts/local-node-failures.ts'
import { serveLocalNode } from '#testing/hosts/served-local-node.ts'
import { eventually } from '#testing/requests/patience.ts'
import { LOCAL_FAUCET_ADDRESS, localTronNode } from './local-tron-node.ts'
import { isTronAddress, USDT_MAINNET_CONTRACT } from './tron-address.ts'

const to = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const PERIOD_MS = 3_000
const startAt = Date.UTC(2030, 0, 1)

describe('a transfer on the local chain', () => {
  test('is part of the balance that the real reader asks for, once its block is solid', async () => {
    const { local, node, send, growSolid } = await serveLocalNode()
    const ask = { contract: USDT_MAINNET_CONTRACT, address: to }
    await send(to, 100_000_001n)
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 0n })
    await growSolid()
    await local.transfer({ to: LOCAL_FAUCET_ADDRESS, from: to, amountMicro: 1n })
    const other = { from: LOCAL_FAUCET_ADDRESS, to, amountMicro: 5n }
    await local.add({ transfers: [{ ...other, contract: LOCAL_FAUCET_ADDRESS }] })
    await local.add({
      transfers: [{ ...other, contract: USDT_MAINNET_CONTRACT }],
      failed: 'receipt',
    })
    expect(await node.solidBalance(ask)).toEqual({ ok: true, value: 100_000_001n })
    await growSolid()
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

  test('to no address, of zero, of less than zero or of too much is refused', async () => {
    const { local } = await serveLocalNode()
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
      expect(await local.transfer({ to, amountMicro: 1n, ...change })).toMatchObject(expected)
  })
})

test('the local chain answers like a full node, also to bodies without a type', async () => {
  const { url, grow } = await serveLocalNode()
  await grow(3)
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

describe('the local chain of several processes', () => {
  test('goes on by one block when three seconds have passed, however many more, by the database’s clock', async () => {
    const database = await createTestDatabase()
    const [one, other] = [localTronNode(database.jobs), localTronNode(database.jobs)]
    for (const [afterMs, height] of [
      [0, 1],
      [PERIOD_MS - 1, 1],
      [PERIOD_MS, 2],
      // A clock that was put right.
      [-60_000, 2],
      [10 * 86_400_000, 3],
    ] as const) {
      await database.freezeClock(startAt + afterMs)
      const heights = await Promise.all([one.height(), other.height()])
      expect(heights, `after ${afterMs} ms`).toEqual([height, height])
    }
  })

  test('makes no block while another process adds a transfer to it', async () => {
    const { local, grow, database } = await serveLocalNode()
    const added = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow: Database = {
      ...database.jobs,
      transaction: (work) =>
        database.jobs.transaction(async (tx) => {
          const done = await work(tx)
          added.resolve()
          await mayCommit.promise
          return done
        }),
    }
    const sending = localTronNode(slow).transfer({ to, amountMicro: 1n })
    await added.promise
    let isGrown = false
    const growing = grow(1).then(() => {
      isGrown = true
    })
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await eventually(async () => isGrown || (await database.owner.exists(waiting)))
    expect([isGrown, await local.height()]).toEqual([false, 0])
    mayCommit.resolve()
    await growing
    expect(await sending).toMatchObject({ blockNumber: await local.height() })
  })
})
