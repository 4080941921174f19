import { createHash } from 'node:crypto'
import type { ChainFile, LocalTransactionInfo } from './local-chain-file.ts'
import { logAddressOfTronAddress, topicOfTronAddress } from './tron-address.ts'
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

/** There is a block every three seconds, as on the real chain. */
export const PERIOD_MS = 3_000

/**
 * A chain whose blocks follow from the clock alone; only transactions are stored. It stops while the process is down
 * and continues above its last transaction and above `heightMin`, the position of its watcher, so that this stays valid
 * and has no empty days to catch up with. `now` gives milliseconds since 1970 and may jump.
 */
export function localTronChain(options: {
  file: ChainFile
  now: () => number
  solidityLag: number
  heightMin: number
}): LocalTronChain {
  const { file, now, solidityLag, heightMin } = options
  const infos = [...file.infos]
  const blocks = Map.groupBy(infos, ({ blockNumber }) => blockNumber)
  const firstHeight = Math.max(heightMin, infos.at(-1)?.blockNumber ?? 0)
  const startedAt = now()
  let height = firstHeight
  let back = 0

  /** The true height, which never falls, even if the clock goes back. */
  function grow(): number {
    height = Math.max(height, firstHeight + Math.floor((now() - startedAt) / PERIOD_MS))
    return height
  }

  /** An old block without transactions gets a time near the start: all that the file has is solid by then. */
  function timeOf(blockNumber: number): number {
    const [first] = blocks.get(blockNumber) ?? []
    return first?.blockTimeStamp ?? startedAt + (blockNumber - firstHeight) * PERIOD_MS
  }

  return {
    height: () => Math.max(0, grow() - back),
    // What was there before the start is solid.
    solidHeight: () => Math.max(0, Math.max(firstHeight, grow() - solidityLag) - back),
    timeOf,
    infosOf: (blockNumber) => blocks.get(blockNumber) ?? [],
    infoOf: (id) => infos.find((info) => info.id === id),
    balanceOf({ contract, address, upTo }) {
      const [token, holder] = [logAddressOfTronAddress(contract), topicOfTronAddress(address)]
      const logs = infos
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
      const id = hashOf([startedAt, infos.length, blockNumber])
      const info = infoOf(transaction, { id, blockNumber, blockTimeStamp: timeOf(blockNumber) })
      file.append(info)
      infos.push(info)
      blocks.set(blockNumber, [...(blocks.get(blockNumber) ?? []), info])
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
  const log = transfers.map(({ to, from, amountMicro, contract }) => ({
    address: logAddressOfTronAddress(contract),
    topics: [TRANSFER_TOPIC, topicOfTronAddress(from), topicOfTronAddress(to)],
    data: wordOf(amountMicro),
  }))
  const isReverted = failed === 'reverted'
  return {
    ...block,
    receipt: { result: isReverted || failed === 'receipt' ? 'REVERT' : 'SUCCESS' },
    ...(isReverted ? {} : { log }),
    ...(isReverted || failed === 'info' ? { result: 'FAILED' } : {}),
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
