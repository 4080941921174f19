import type { FastifyInstance } from 'fastify'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/db/database.ts'
import { type AccountKey, openAccountKey } from './derive-deposit-address.ts'
import { type LocalTronNode, localTronNode } from './local-tron-node.ts'
import { USDT_MAINNET_CONTRACT } from './tron-address.ts'
import { type TronNode, tronNode } from './tron-node.ts'

/**
 * The most that a node is asked for, by all parts of a process together: the watcher, the comparison and the payouts.
 * TronGrid refuses for half a minute above 15 calls a second, and another process may ask for payouts at the same time.
 * The 1,200 blocks of an hour's outage are read in three minutes, those of a day in 70.
 */
const CALLS_PER_SECOND = 7

export type Chain = {
  /** The demo's chain, if this process serves it; null if a real node is read, or another process serves it. */
  readonly local: LocalTronNode | null
  /** Names the chain that a stored position belongs to. */
  readonly name: 'tron' | 'local'
  /** The public key from which deposit addresses are derived. */
  readonly accountKey: AccountKey
  /** The watched contract of USDT. */
  readonly contract: string
  /**
   * The watched contract and node, and the node of another operator that confirms it.
   * @param origin the address under which this process reaches itself
   */
  watched(origin: string): {
    node: TronNode
    second: TronNode | null
    contract: string
    chain: Chain['name']
  }
}

/**
 * Opens the chain of the configuration. The demo's own chain is served by `http`.
 *
 * @param localDb where a local chain stands, if this process serves it: the process that watches it does
 * @throws StartError if TRON_XPUB is not a valid key
 */
export async function openChain(
  http: FastifyInstance,
  deps: {
    config: Pick<Config, 'tron'>
    keys: { tronXpub: string }
    localDb: Database | null
  },
): Promise<Chain> {
  const { tron } = deps.config
  let local: LocalTronNode | null = null
  if (!tron && deps.localDb) {
    local = localTronNode(deps.localDb)
    await http.register(local.plugin, { prefix: '/tron' })
  }
  const name = tron ? 'tron' : 'local'
  const contract = tron?.usdtContract ?? USDT_MAINNET_CONTRACT
  return {
    local,
    name,
    contract,
    accountKey: openAccountKey(tron?.xpub ?? deps.keys.tronXpub),
    watched: (origin) => ({
      node: tron ? realNode(tron.apiUrl, tron.apiKey) : tronNode({ url: `${origin}/tron` }),
      second: tron?.secondApiUrl ? realNode(tron.secondApiUrl, tron.secondApiKey) : null,
      contract,
      chain: name,
    }),
  }
}

function realNode(url: string, apiKey: string | null): TronNode {
  return tronNode({ url, apiKey: apiKey ?? undefined, callsPerSecond: CALLS_PER_SECOND })
}
