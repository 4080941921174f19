import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { Database } from '#src/db/database.ts'
import { type LocalTransaction, type LocalTronChain, localTronChain } from './local-tron-chain.ts'
import {
  isTronAddress,
  tronAddressOfHex,
  tronAddressOfTopic,
  USDT_MAINNET_CONTRACT,
} from './tron-address.ts'

export type LocalTransferOutcome =
  | { ok: true; txId: string; blockNumber: number }
  | { ok: false; fault: 'address' | 'amount'; message: string }

export type LocalTronNode = {
  /** Serves the node's calls under the prefix that it is registered with. */
  plugin: FastifyPluginAsync
  /** Sends test USDT to an address, from a faucet unless `from` is given. */
  transfer(transfer: {
    to: string
    amountMicro: bigint
    from?: string
  }): Promise<LocalTransferOutcome>
  /** Adds any transaction, valid or meant to mislead. Asserts addresses and 0 ≤ amount < 2²⁵⁶. */
  add(transaction: LocalTransaction): Promise<{ txId: string; blockNumber: number }>
  /** Has calls answered by another first. */
  intercept(by: Interceptor | null): void
  /** Shows this many blocks fewer, like a node that lags behind; 0 ends it. */
  setBack(blocks: number): void
  height(): Promise<number>
  solidHeight(): Promise<number>
}

/** Answers a call of this name, or leaves it to the node. */
type Interceptor = (call: string, reply: FastifyReply) => FastifyReply | undefined

const CALLS = ['getnowblock', 'getblockbynum', 'gettransactioninfobyblocknum'] as const

/** Where test money comes from: an address without a known key. */
export const LOCAL_FAUCET_ADDRESS = faucetAddress()

const AMOUNT_MAX = 2n ** 63n - 1n

/**
 * A small TRON full node for the demo and for tests: the same HTTP calls and answers as a real one, on a chain that stands
 * in the database. Blocks become solid `solidityLag` blocks later (2; on the real chain about 19). Its coins have no value,
 * and its transactions no signatures.
 */
export function localTronNode(db: Database, { solidityLag = 2 } = {}): LocalTronNode {
  const chain = localTronChain(db, solidityLag)
  let interceptor: Interceptor | null = null

  async function answer(call: (typeof CALLS)[number], top: number, num: number): Promise<unknown> {
    if (call === 'getnowblock') return blockAnswer(chain, top)
    if (call === 'getblockbynum') return num > top ? {} : blockAnswer(chain, num)
    // A real node answers this for the first block, and `[]` for a block that it does not have.
    if (num <= 0) return {}
    return num > top ? [] : chain.infosOf(num)
  }

  const plugin: FastifyPluginAsync = async (server) => {
    // Real nodes read the body as JSON whatever its content type, and treat a missing body as an empty object.
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
      done(null, body)
    })
    for (const side of ['wallet', 'walletsolidity'] as const) {
      for (const call of CALLS) {
        server.post(`/${side}/${call}`, async (request, reply) => {
          const asked = blockCall.safeParse(jsonOf(request.body))
          const num = asked.success ? asked.data.num : 0
          const top = await (side === 'wallet' ? chain.height() : chain.solidHeight())
          reply.type('application/json; charset=utf-8')
          return JSON.stringify(await answer(call, top, num))
        })
      }
    }
    server.post('/walletsolidity/gettransactioninfobyid', async (request, reply) => {
      reply.type('application/json; charset=utf-8')
      const asked = transactionCall.safeParse(jsonOf(request.body))
      const info = asked.success ? await chain.infoOf(asked.data.value) : undefined
      const isSolid = info && info.blockNumber <= (await chain.solidHeight())
      return JSON.stringify(isSolid ? info : {})
    })
    server.post('/walletsolidity/triggerconstantcontract', async (request, reply) => {
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(await balanceAnswer(chain, request.body))
    })
    server.addHook('preHandler', async (request, reply) =>
      interceptor?.(request.url.slice(request.url.lastIndexOf('/') + 1), reply),
    )
  }

  async function add(
    transaction: LocalTransaction,
  ): Promise<{ txId: string; blockNumber: number }> {
    const { id, blockNumber } = await chain.add(transaction)
    return { txId: id, blockNumber }
  }

  return {
    plugin,
    async transfer({ to, amountMicro, from = LOCAL_FAUCET_ADDRESS }) {
      for (const address of [to, from]) {
        if (isTronAddress(address)) continue
        const message =
          'this is not a TRON address: 34 characters that begin with T, with a right checksum'
        return { ok: false, fault: 'address', message }
      }
      if (amountMicro < 1n || amountMicro > AMOUNT_MAX) {
        const message = 'the amount is 0.000001 USDT or more, and less than 2^63 millionths'
        return { ok: false, fault: 'amount', message }
      }
      const transfer = { to, from, amountMicro, contract: USDT_MAINNET_CONTRACT }
      return { ok: true, ...(await add({ transfers: [transfer] })) }
    },
    add,
    intercept(by) {
      interceptor = by
    },
    setBack: chain.setBack,
    height: chain.height,
    solidHeight: chain.solidHeight,
  }
}

/** A block as `getnowblock` and `getblockbynum` return it, with the fields that a reader uses. */
async function blockAnswer(chain: LocalTronChain, number: number): Promise<object> {
  const infos = await chain.infosOf(number)
  const timestamp = infos[0]?.blockTimeStamp ?? (await chain.timeOf(number))
  const transactions = infos.map(({ id }) => ({ txID: id }))
  return {
    block_header: { raw_data: { number, timestamp } },
    // As in real nodes, an empty list is left out.
    ...(transactions.length > 0 ? { transactions } : {}),
  }
}

const blockCall = z.object({ num: z.int() })

const transactionCall = z.object({ value: z.string().regex(/^[0-9a-f]{64}$/) })

const balanceCall = z.object({
  contract_address: z.string(),
  function_selector: z.literal('balanceOf(address)'),
  parameter: z.string(),
})

/** What a real node answers for a token's `balanceOf`, in solidified blocks. */
async function balanceAnswer(chain: LocalTronChain, body: unknown): Promise<object> {
  const call = balanceCall.safeParse(jsonOf(body))
  const contract = call.success ? tronAddressOfHex(call.data.contract_address) : null
  const address = call.success ? tronAddressOfTopic(call.data.parameter) : null
  if (!contract || !address) return { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } }
  const upTo = await chain.solidHeight()
  const balance = await chain.balanceOf({ contract, address, upTo })
  // As in the contract, nothing is below zero: the faucet's address sends what nobody gave it.
  const word = (balance < 0n ? 0n : balance).toString(16).padStart(64, '0')
  return { result: { result: true }, constant_result: [word] }
}

/** Undefined if it is not JSON. */
function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

function faucetAddress(): string {
  const hash = createHash('sha256').update('local tron faucet').digest('hex')
  const address = tronAddressOfHex(hash.slice(0, 40))
  if (address === null) throw new Error('a hash makes no address')
  return address
}
