import { pbkdf2Sync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HDKey } from '@scure/bip32'
import fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { type AccountKey, openAccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import { PERIOD_MS } from '#src/adapters/chain/local-tron-chain.ts'
import { localTronNode } from '#src/adapters/chain/local-tron-node.ts'
import { tronNode } from '#src/adapters/chain/tron-node.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'

const SOLIDITY_LAG = 2

/** How far the real chain's newest solidified block lags behind, usually. */
export const REAL_LAG = 19

/** When the chain of a test begins: later than all that its product's clock says, so that no block comes by itself. */
const CHAIN_STARTS_AT = Date.UTC(2030, 0)

/** Has a database's local chain grow by hand alone, from then on. */
export async function holdChain({ owner }: TestDatabase): Promise<void> {
  await owner.query('update app.local_chain set made_at = $1 where made_at < $1', [
    new Date(CHAIN_STARTS_AT),
  ])
}

/** Adds this many blocks to a database's local chain. */
export async function addBlocks({ owner }: TestDatabase, count: number): Promise<void> {
  await owner.query(
    'update app.local_chain set height = height + $1, made_at = made_at + make_interval(secs => $2)',
    [count, (count * PERIOD_MS) / 1_000],
  )
}

/**
 * Serves the local chain of a database, by default a new one, on a port of its own, until the test ends or as the caller
 * says. It grows by hand alone.
 */
export async function serveLocalNode(
  options: { database?: TestDatabase; solidityLag?: number } = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
) {
  const { database = await createTestDatabase(), solidityLag = SOLIDITY_LAG } = options
  await holdChain(database)
  const local = localTronNode(database.jobs, { solidityLag })
  // A client that timed out may keep a connection open, and a plain close would wait for it.
  const server = fastify({ forceCloseConnections: true })
  await server.register(local.plugin, { prefix: '/tron' })
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/tron`
  const close = async (): Promise<void> => server.close()
  whenOver(close)
  const grow = (blocks: number) => addBlocks(database, blocks)
  return {
    local,
    node: tronNode({ url, timeoutMs: 60_000 }),
    url,
    database,
    /** Sends test USDT from the faucet. */
    async send(to: string, amountMicro: bigint) {
      const sent = await local.transfer({ to, amountMicro })
      if (!sent.ok) throw new Error(sent.message)
      return sent
    },
    /** Adds this many blocks to the chain. */
    grow,
    /** Adds blocks until everything added so far is solid. */
    growSolid: () => grow(solidityLag + 1),
    close,
  }
}

/** Serves a node whose answers the test defines, until it ends. Returns its address. */
export async function serveRawNode(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The first two deposit addresses of the published key: those of the indexes 1000 and 1001. */
export const PUBLISHED_ADDRESSES = [
  'TTsXdXbiYdVbcUh6LhWAh41wy4pv4abHbj',
  'TJ76XAi6msaSxci4auBUKSRR8JQfbGxKNr',
] as const

/** Its root, by BIP 39 from the mnemonic without a passphrase. */
export function publishedRoot(): HDKey {
  const mnemonic = `${'abandon '.repeat(11)}about`
  return HDKey.fromMasterSeed(pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512'))
}

export function publishedKey(): AccountKey {
  const account = publishedRoot().derive("m/44'/195'/0'")
  return openAccountKey(account.publicExtendedKey)
}
