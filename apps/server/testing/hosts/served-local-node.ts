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

const SOLIDITY_LAG = 2

/** How far the real chain's newest solidified block lags behind, usually. */
export const REAL_LAG = 19

/**
 * Serves a local node on its own port, until the test ends or as the caller says. Its clock begins at `startAt`,
 * milliseconds since 1970.
 */
export async function serveLocalNode(
  options: {
    file?: string
    heightMin?: number
    startAt?: number
    solidityLag?: number
  } = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
) {
  let now = options.startAt ?? Date.UTC(2026, 0, 1)
  const { solidityLag = SOLIDITY_LAG, heightMin = 0 } = options
  const local = localTronNode({
    now: () => now,
    solidityLag,
    heightMin,
    ...(options.file === undefined ? {} : { file: options.file }),
  })
  // A client that timed out may keep a connection open, and a plain close would wait for it.
  const server = fastify({ forceCloseConnections: true })
  await server.register(local.plugin, { prefix: '/tron' })
  const url = `${await server.listen({ host: '127.0.0.1', port: 0 })}/tron`
  const close = async (): Promise<void> => server.close()
  whenOver(close)
  function grow(blocks: number): void {
    now += blocks * PERIOD_MS
  }
  return {
    local,
    node: tronNode({ url, timeoutMs: 60_000 }),
    url,
    /** Sends test USDT from the faucet. */
    send(to: string, amountMicro: bigint) {
      const sent = local.transfer({ to, amountMicro })
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
