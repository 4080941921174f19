import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { tronAddressOfHex, tronAddressOfTopic } from './tron-address.ts'
import type { TransactionInfo } from './tron-node.ts'

/** First topic of a token's transfer (TRC-20, as ERC-20), in hexadecimal. */
export const TRANSFER_TOPIC = bytesToHex(
  keccak_256(utf8ToBytes('Transfer(address,address,uint256)')),
)

/** The greatest amount that PostgreSQL's bigint holds. */
const AMOUNT_MAX = 2n ** 63n - 1n

export type UsdtTransfer = {
  /** 64 hexadecimal digits, lower case. */
  txId: string
  /** Position in the transaction's list of logs of all contracts, from 0. Unique with `txId`. */
  logIndex: number
  blockNumber: number
  /** Null only if the node does not say the time. */
  blockTime: Date | null
  from: string
  to: string
  /** Micro-units: USDT has six decimals, as our unit has. */
  amountMicro: bigint
}

/** A log that may have been a transfer of the contract but could not be parsed as one. */
export type SkippedLog = {
  txId: string
  logIndex: number
  reason: 'log_form' | 'topic_count' | 'topic_form' | 'data_form' | 'transaction_failed'
}

/** Transfers of nothing are left out. `tooLarge`: of more than the database can store. */
export type BlockTransfers = {
  transfers: UsdtTransfer[]
  tooLarge: UsdtTransfer[]
  skipped: SkippedLog[]
}

const logSchema = z.object({
  address: z.string(),
  topics: z.array(z.string()).optional(),
  data: z.string().optional(),
})

/**
 * The transfers of one token contract in the transactions of a block, in the order of the chain:
 * logs of exactly this contract, in transactions that succeeded. Other contracts, whatever name they use, and other
 * events of the contract are ignored.
 */
export function usdtTransfers(infos: readonly TransactionInfo[], contract: string): BlockTransfers {
  const block: BlockTransfers = { transfers: [], tooLarge: [], skipped: [] }
  for (const info of infos) {
    for (const [logIndex, log] of (info.log ?? []).entries()) {
      const reading = readLog(log, contract)
      if (reading === 'other') continue
      const transferKey = { txId: info.id, logIndex }
      if (typeof reading === 'string') {
        block.skipped.push({ ...transferKey, reason: reading })
      } else if (!succeeded(info)) {
        block.skipped.push({ ...transferKey, reason: 'transaction_failed' })
      } else {
        const { blockNumber, blockTimeStamp } = info
        const blockTime = blockTimeStamp ? new Date(blockTimeStamp) : null
        const transfer = { ...transferKey, blockNumber, blockTime, ...reading }
        if (reading.amountMicro > AMOUNT_MAX) block.tooLarge.push(transfer)
        else if (reading.amountMicro > 0n) block.transfers.push(transfer)
      }
    }
  }
  return block
}

function succeeded(info: TransactionInfo): boolean {
  return info.receipt?.result === 'SUCCESS' && info.result !== 'FAILED'
}

function readLog(
  value: unknown,
  contract: string,
): Pick<UsdtTransfer, 'from' | 'to' | 'amountMicro'> | SkippedLog['reason'] | 'other' {
  const log = logSchema.safeParse(value)
  if (!log.success) return 'log_form'
  if (tronAddressOfHex(log.data.address) !== contract) return 'other'
  const topics = log.data.topics ?? []
  if (topics[0] === undefined || bare(topics[0]) !== TRANSFER_TOPIC) return 'other'
  if (topics.length !== 3) return 'topic_count'
  const from = tronAddressOfTopic(topics[1] ?? '')
  const to = tronAddressOfTopic(topics[2] ?? '')
  if (from === null || to === null) return 'topic_form'
  const data = bare(log.data.data ?? '')
  if (!/^[0-9a-f]{64}$/u.test(data)) return 'data_form'
  return { from, to, amountMicro: BigInt(`0x${data}`) }
}

/** Hexadecimal digits only, in lower case: nodes differ in case and in a leading 0x. */
function bare(hex: string): string {
  return hex.toLowerCase().replace(/^0x/u, '')
}
