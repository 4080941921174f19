import { createHash } from 'node:crypto'
import type { ChainFile, ChainRecord, LocalTransactionInfo } from './local-chain-file.ts'
import { hexOfTronAddress, logAddressOfTronAddress, topicOfTronAddress } from './tron-address.ts'
import { TRANSFER_TOPIC } from './usdt-transfers.ts'

/** One Transfer log: amounts are 0 to 2²⁵⁶ − 1, as a contract could write them. */
export type LocalTransfer = { to: string; from: string; amountMicro: bigint; contract: string }

export type LocalTransaction = {
  transfers: LocalTransfer[]
  /**
   * `reverted`: as on the real chain, the log is missing. `receipt` and `info`: only that field says that the
   * transaction failed, and the log is present; a reader must not accept it.
   */
  failed?: 'reverted' | 'receipt' | 'info'
}

/** The state of the local chain: the time of each block, and its transactions. */
export type LocalTronChain = {
  height(): number
  /** The newest solidified block, 0 or more. */
  solidHeight(): number
  /** Milliseconds since 1970. */
  timeOf(blockNumber: number): number
  infosOf(blockNumber: number): readonly LocalTransactionInfo[]
  infoOf(id: string): LocalTransactionInfo | undefined
  /** What an address received less what it sent of a token, up to a block; micro-units. */
  balanceOf(ask: { contract: string; address: string; upTo: number }): bigint
  /** Adds a transaction to the next block: blocks that were shown never change. */
  add(transaction: LocalTransaction): LocalTransactionInfo
  /** Makes the chain appear this many blocks shorter, until set to 0: simulates a node that lags behind. */
  setBack(blocks: number): void
}

type Era = Extract<ChainRecord, { type: 'era' }>

/** There is a block every three seconds, as on the real chain. */
export const PERIOD_MS = 3_000

/** This many blocks at a time are recorded as shown, to save the file a line for each block. */
const REACH_BLOCKS = 20

/**
 * A chain whose blocks follow from the clock alone; only transactions are stored. It stops while the process is down
 * and continues above every block that it has ever shown, so that a watcher's height stays valid and it has no
 * empty days to catch up with. `heightMin` raises a new chain above the position of a watcher of an older chain.
 * `now` gives milliseconds since 1970 and may jump.
 */
export function localTronChain(options: {
  file: ChainFile
  now: () => number
  solidityLag: number
  heightMin?: number
}): LocalTronChain {
  const { file, now, solidityLag, heightMin = 0 } = options
  const eras: Era[] = []
  const blocks = new Map<number, LocalTransactionInfo[]>()
  let reach = heightMin
  let sequence = 0
  let back = 0

  function keep(record: ChainRecord): void {
    if (record.type === 'era') {
      eras.push(record)
      reach = Math.max(reach, record.afterBlock)
    } else if (record.type === 'reach') {
      reach = Math.max(reach, record.blockNumber)
    } else {
      const { info } = record
      blocks.set(info.blockNumber, [...(blocks.get(info.blockNumber) ?? []), info])
      reach = Math.max(reach, info.blockNumber)
      sequence += 1
    }
  }

  function write(record: ChainRecord): void {
    file.append(record)
    keep(record)
  }

  for (const record of file.records) keep(record)
  const era: Era = { type: 'era', afterBlock: reach, at: now() }
  write(era)
  const genesis: Era = eras[0] ?? era
  let height = era.afterBlock

  /** The true height, which never falls, even if the clock goes back. */
  function grow(): number {
    const byClock = era.afterBlock + Math.floor((now() - era.at) / PERIOD_MS)
    height = Math.max(height, byClock)
    // Recorded before it is shown, so that after a crash no shown block appears again.
    if (height > reach) write({ type: 'reach', blockNumber: height + REACH_BLOCKS })
    return height
  }

  function timeOf(blockNumber: number): number {
    const index = eras.findLastIndex((one) => one.afterBlock < blockNumber)
    const from = eras[index] ?? genesis
    const at = from.at + Math.max(0, blockNumber - from.afterBlock) * PERIOD_MS
    return Math.min(at, eras[index + 1]?.at ?? at)
  }

  return {
    height: () => Math.max(0, grow() - back),
    solidHeight: () => Math.max(0, grow() - back - solidityLag),
    timeOf,
    infosOf: (blockNumber) => blocks.get(blockNumber) ?? [],
    infoOf: (id) => [...blocks.values()].flat().find((info) => info.id === id),
    balanceOf({ contract, address, upTo }) {
      const [token, holder] = [logAddressOfTronAddress(contract), topicOfTronAddress(address)]
      const logs = [...blocks.values()]
        .flat()
        .filter(({ blockNumber, receipt, result }) => {
          return blockNumber <= upTo && receipt.result === 'SUCCESS' && result !== 'FAILED'
        })
        .flatMap(({ log }) => log ?? [])
      return logs.reduce((sum, { address: of, topics: [, from, to], data }) => {
        const amount = of === token ? BigInt(`0x${data}`) : 0n
        return sum + (to === holder ? amount : 0n) - (from === holder ? amount : 0n)
      }, 0n)
    },
    add(transaction) {
      const blockNumber = grow() + 1
      const id = hashOf([genesis.at, era.at, sequence, blockNumber])
      const info = infoOf(transaction, { id, blockNumber, blockTimeStamp: timeOf(blockNumber) })
      write({ type: 'transaction', info })
      return info
    },
    setBack(count) {
      back = count
    },
  }
}

function infoOf(
  transaction: LocalTransaction,
  block: { id: string; blockNumber: number; blockTimeStamp: number },
): LocalTransactionInfo {
  const { transfers, failed } = transaction
  const first = transfers[0]
  if (!first) throw new Error('a transaction has a transfer')
  const log = transfers.map(({ to, from, amountMicro, contract }) => ({
    address: logAddressOfTronAddress(contract),
    topics: [TRANSFER_TOPIC, topicOfTronAddress(from), topicOfTronAddress(to)],
    data: wordOf(amountMicro),
  }))
  return {
    ...block,
    fee: 345_000,
    contractResult: [''],
    contract_address: hexOfTronAddress(first.contract),
    receipt: {
      energy_usage_total: 31_895,
      net_usage: 345,
      result: failed === 'reverted' || failed === 'receipt' ? 'REVERT' : 'SUCCESS',
    },
    ...(failed === 'reverted' ? {} : { log }),
    ...(failed === 'reverted' || failed === 'info'
      ? { result: 'FAILED', resMessage: Buffer.from('REVERT opcode executed').toString('hex') }
      : {}),
  }
}

function wordOf(amount: bigint): string {
  if (amount < 0n || amount >= 2n ** 256n) throw new RangeError(`no amount of a token: ${amount}`)
  return amount.toString(16).padStart(64, '0')
}

function hashOf(parts: readonly number[]): string {
  return createHash('sha256')
    .update(`local chain ${parts.join(' ')}`)
    .digest('hex')
}
