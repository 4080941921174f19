import { z } from 'zod'
import { hexOfTronAddress, topicOfTronAddress } from './tron-address.ts'
import { callTron, fail, pacer, type TronAnswer, type TronEndpoint } from './tron-call.ts'

const blockNumber = z.int().nonnegative()
const instantMs = z.int().positive()

const blockSchema = z.object({
  block_header: z.object({
    raw_data: z.object({ number: blockNumber, timestamp: instantMs.nullish() }),
  }),
  transactions: z.array(z.unknown()).nullish(),
})

/**
 * The fields of a TransactionInfo that are needed. Its logs are checked one by one later, so that an unexpected log
 * of another contract does not block the whole block.
 */
const transactionInfoSchema = z.object({
  id: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/u)
    .toLowerCase(),
  blockNumber,
  blockTimeStamp: instantMs.nullish(),
  receipt: z.object({ result: z.string().nullish() }).nullish(),
  result: z.string().nullish(),
  log: z.array(z.unknown()).nullish(),
})

/** The answer of a contract's function that changes nothing: one word of 32 bytes. */
const wordSchema = z.object({
  result: z.object({ result: z.literal(true) }),
  constant_result: z.tuple([z.string().regex(/^[0-9a-fA-F]{64}$/u)]),
})

/** What a node says instead: a code, and its text in hexadecimal. */
const refusalSchema = z.object({
  result: z.object({ code: z.string(), message: z.string().default('') }),
})

export type TransactionInfo = z.infer<typeof transactionInfoSchema>

export type BlockHead = { blockNumber: number; blockTime: Date | null }

/** A block as the watcher needs it: its time is null only if the node does not say it. */
export type TronBlock = BlockHead & { infos: TransactionInfo[] }

/** The calls of a TRON full node that the server uses. None rejects. */
export type TronNode = {
  /** The newest solidified block: confirmed by more than two thirds, never replaced. */
  solidHead(signal?: AbortSignal): Promise<TronAnswer<BlockHead>>
  /** The newest block, which may still be replaced by another. */
  head(signal?: AbortSignal): Promise<TronAnswer<BlockHead>>
  /** A solidified block, complete or not at all; `not_yet` if the node has none of this number. */
  solidBlock(ask: { blockNumber: number }, signal?: AbortSignal): Promise<TronAnswer<TronBlock>>
  /** A transaction by its id, 64 hexadecimal digits, once its block is solid; else `not_yet`. */
  solidTransaction(
    ask: { txId: string },
    signal?: AbortSignal,
  ): Promise<TronAnswer<TransactionInfo>>
  /** What an address has of a token in solidified blocks, in the token's smallest unit. */
  solidBalance(
    ask: { contract: string; address: string },
    signal?: AbortSignal,
  ): Promise<TronAnswer<bigint>>
  /** A block that may not be solid, for display only; `not_yet` if the node does not have it. */
  freshBlock(ask: { blockNumber: number }, signal?: AbortSignal): Promise<TronAnswer<TronBlock>>
}

/**
 * A client of a TRON full node's HTTP API (java-tron's `/wallet` and `/walletsolidity`, TronGrid).
 * `timeoutMs` is for each call, 10 s by default; `now` gives milliseconds since 1970; `callsPerSecond` is the most that
 * all its callers together ask for, without limit by default.
 */
export function tronNode(options: {
  url: string
  apiKey?: string | undefined
  timeoutMs?: number
  now?: () => number
  callsPerSecond?: number | undefined
}): TronNode {
  const endpoint: TronEndpoint = {
    url: options.url,
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 10_000,
    now: options.now ?? Date.now,
    turn: options.callsPerSecond ? pacer(1_000 / options.callsPerSecond) : undefined,
  }

  async function headAt(path: string, signal?: AbortSignal): Promise<TronAnswer<BlockHead>> {
    const answer = await callTron(endpoint, { path, body: {}, signal })
    if (!answer.ok) return answer
    const block = blockSchema.safeParse(answer.value)
    if (!block.success) return fail({ kind: 'malformed', message: `${path}: not a block` })
    const { number, timestamp } = block.data.block_header.raw_data
    return { ok: true, value: { blockNumber: number, blockTime: dateOf(timestamp) } }
  }

  /** A block with its transactions, of one of the two APIs: complete or not at all. */
  async function blockAt(
    api: Api,
    number: number,
    signal: AbortSignal | undefined,
  ): Promise<TronAnswer<TronBlock>> {
    const path = `/${api}/gettransactioninfobyblocknum`
    const answer = await callTron(endpoint, { path, body: { num: number }, signal })
    if (!answer.ok) return answer
    const infos = readInfos(answer.value, number)
    if (!infos.ok) return infos
    if (infos.value.length === 0) return proveEmpty(api, number, signal)
    return { ok: true, value: blockOf(number, infos.value) }
  }

  /**
   * Whether a block without transaction infos really has no transactions. A node also answers `[]` for a block that
   * it does not have, and behind one address there may be several nodes, of which one lags behind the height that
   * another reported (github.com/TRON-US/trongrid/issues/18). The block itself shows it.
   */
  async function proveEmpty(
    api: Api,
    number: number,
    signal: AbortSignal | undefined,
  ): Promise<TronAnswer<TronBlock>> {
    const path = `/${api}/getblockbynum`
    const answer = await callTron(endpoint, { path, body: { num: number }, signal })
    if (!answer.ok) return answer
    const block = blockSchema.safeParse(answer.value)
    if (!block.success || block.data.block_header.raw_data.number !== number) {
      return fail({ kind: 'not_yet', message: `block ${number} is not on this node yet` })
    }
    if (block.data.transactions?.length) {
      return fail({ kind: 'not_yet', message: `block ${number} came without its transactions` })
    }
    const blockTime = dateOf(block.data.block_header.raw_data.timestamp)
    return { ok: true, value: { blockNumber: number, blockTime, infos: [] } }
  }

  return {
    solidHead: (signal) => headAt('/walletsolidity/getnowblock', signal),
    head: (signal) => headAt('/wallet/getnowblock', signal),
    solidBlock: ({ blockNumber: number }, signal) => blockAt('walletsolidity', number, signal),
    freshBlock: ({ blockNumber: number }, signal) => blockAt('wallet', number, signal),
    async solidTransaction({ txId }, signal) {
      const path = '/walletsolidity/gettransactioninfobyid'
      const answer = await callTron(endpoint, { path, body: { value: txId }, signal })
      if (!answer.ok) return answer
      if (typeof answer.value === 'object' && Object.keys(answer.value ?? {}).length === 0) {
        return fail({ kind: 'not_yet', message: `transaction ${txId} is in no solid block` })
      }
      const info = transactionInfoSchema.safeParse(answer.value)
      if (!info.success || info.data.id !== txId) {
        return fail({ kind: 'malformed', message: `${txId}: not this transaction` })
      }
      return { ok: true, value: info.data }
    },
    async solidBalance({ contract, address }, signal) {
      const answer = await callTron(endpoint, {
        path: '/walletsolidity/triggerconstantcontract',
        body: {
          owner_address: hexOfTronAddress(address),
          contract_address: hexOfTronAddress(contract),
          function_selector: 'balanceOf(address)',
          parameter: topicOfTronAddress(address),
        },
        signal,
      })
      if (!answer.ok) return answer
      const word = wordSchema.safeParse(answer.value)
      if (!word.success) {
        return fail({ kind: 'malformed', message: `not a balance${reasonIn(answer.value)}` })
      }
      return { ok: true, value: BigInt(`0x${word.data.constant_result[0]}`) }
    },
  }
}

/** Blocks that may still be replaced, or solidified ones alone. */
type Api = 'wallet' | 'walletsolidity'

/** Why a contract's function was not called, after a colon: at most 200 characters; empty if the node does not say. */
function reasonIn(body: unknown): string {
  const refusal = refusalSchema.safeParse(body)
  if (!refusal.success) return ''
  const { code, message } = refusal.data.result
  return `: ${code} ${Buffer.from(message, 'hex').toString()}`.slice(0, 200).trimEnd()
}

function readInfos(body: unknown, number: number): TronAnswer<TransactionInfo[]> {
  if (typeof body === 'object' && body !== null && Object.keys(body).length === 0) {
    if (Array.isArray(body)) return { ok: true, value: [] }
    return fail({ kind: 'not_yet', message: `block ${number} is not on this node yet` })
  }
  const infos = z.array(transactionInfoSchema).safeParse(body)
  if (!infos.success) {
    const issue = infos.error.issues[0]
    const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'no form'
    return fail({ kind: 'malformed', message: `block ${number}: ${where}` })
  }
  if (infos.data.some((info) => info.blockNumber !== number)) {
    return fail({ kind: 'malformed', message: `block ${number}: the answer is of another block` })
  }
  if (new Set(infos.data.map((info) => info.id)).size !== infos.data.length) {
    return fail({ kind: 'malformed', message: `block ${number}: a transaction is there twice` })
  }
  return { ok: true, value: infos.data }
}

function blockOf(number: number, infos: TransactionInfo[]): TronBlock {
  return { blockNumber: number, blockTime: dateOf(infos[0]?.blockTimeStamp), infos }
}

function dateOf(ms: number | null | undefined): Date | null {
  return ms === undefined || ms === null ? null : new Date(ms)
}
