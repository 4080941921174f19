import { describe, expect, it } from 'vitest'
import { LOCAL_FAUCET_ADDRESS } from '#src/adapters/chain/local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { TEST_WALLET } from '#testing/people/cashier.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { createTestApp, eventually } from '#testing/product/test-app.ts'

describe('logs of the contract that are not read as transfers', () => {
  it('are logged once with their block, transaction and reason, without addresses', async () => {
    const { log, lines } = captureLog()
    const test = await createTestApp({}, { log })
    const payment = {
      from: LOCAL_FAUCET_ADDRESS,
      to: TEST_WALLET,
      amountMicro: 1n,
      contract: USDT_MAINNET_CONTRACT,
    }
    test.app.chain?.add({ transfers: [payment, payment], failed: 'receipt' })
    await test.addBlocks()
    const reported = () => lines.filter((line) => line.includes('not read as such'))
    const [line = '', ...more] = await eventually(() =>
      reported().length > 0 ? reported() : undefined,
    )
    expect(more).toEqual([])
    const entry = JSON.parse(line) as { logs: string }
    expect(entry).toMatchObject({ level: 40, count: 2, block: expect.any(Number) })
    expect(JSON.parse(entry.logs)).toEqual([
      { txId: expect.stringMatching(/^[0-9a-f]{64}$/), logIndex: 0, reason: 'transaction_failed' },
      { txId: expect.stringMatching(/^[0-9a-f]{64}$/), logIndex: 1, reason: 'transaction_failed' },
    ])
    expect(line).not.toContain(TEST_WALLET)
  })
})
