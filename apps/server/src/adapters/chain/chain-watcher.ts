import type { TronFailure } from './tron-call.ts'
import type { TronBlock, TronNode } from './tron-node.ts'
import { type BlockTransfers, usdtTransfers } from './usdt-transfers.ts'

/** A solidified block with the transfers in it that concern the watched contract. */
export type SolidBlock = Pick<TronBlock, 'blockNumber' | 'blockTime'> & BlockTransfers

/**
 * Why a step ended below the solid height: the node failed; the node is behind our position (another node answers at
 * this address, or a node that starts over), which resolves itself; or the handler threw, so its block is not done.
 */
export type WatchStop =
  | TronFailure
  | { kind: 'node_behind'; message: string }
  | { kind: 'handler'; message: string; error: unknown }

export type WatchStep = {
  /** Blocks handled in this step. */
  handled: number
  /** The last block that is completely handled. */
  height: number
  /** Null if the node did not say. */
  solidHeight: number | null
  stoppedBy?: WatchStop
}

/**
 * One step of the watcher: reads solidified blocks from `height` + 1 upwards, at most `maxBlocks`, and passes them on
 * strictly in order, without gaps, until the first failure. It has no state: `onBlock` commits the effect of a block
 * and the new position in one transaction, and the next step gets the committed position. (After a handler that
 * threw, read the position again: the commit may have succeeded.) Up to `readAhead` blocks are requested at once.
 * Rejects only if `height` is no block number.
 */
export async function readSolidBlocks(options: {
  node: TronNode
  /** The token's contract, base58check. */
  contract: string
  height: number
  onBlock: (block: SolidBlock) => Promise<void>
  /** Called with the solid height before the first block is read. */
  onSolidHeight?: (solidHeight: number) => void
  maxBlocks?: number
  readAhead?: number
  signal?: AbortSignal
}): Promise<WatchStep> {
  const { node, contract, onBlock, maxBlocks = 100, readAhead = 4, signal } = options
  let { height } = options
  if (!Number.isSafeInteger(height) || height < 0)
    throw new Error(`no height in a chain: ${height}`)
  const start = height
  const head = await node.solidHead(signal)
  if (!head.ok) return { handled: 0, height, solidHeight: null, stoppedBy: head.failure }
  const solidHeight = head.value.blockNumber
  options.onSolidHeight?.(solidHeight)
  const step = (stoppedBy?: WatchStop): WatchStep => ({
    handled: height - start,
    height,
    solidHeight,
    ...(stoppedBy ? { stoppedBy } : {}),
  })
  if (solidHeight < height) {
    const message = `the node's solid height ${solidHeight} is below block ${height}, already done`
    return step({ kind: 'node_behind', message })
  }

  const last = Math.min(solidHeight, height + maxBlocks)
  const stopping = new AbortController()
  const reading = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal
  const ahead: ReturnType<TronNode['solidBlock']>[] = []
  let requested = height
  try {
    while (height < last) {
      while (requested < last && ahead.length < Math.max(1, readAhead)) {
        requested += 1
        ahead.push(node.solidBlock({ blockNumber: requested, solidHeight }, reading))
      }
      const answer = await ahead.shift()
      if (!answer) throw new Error('a block was not asked for')
      if (!answer.ok) return step(answer.failure)
      const { blockNumber, blockTime, infos } = answer.value
      if (blockNumber !== height + 1) throw new Error(`block ${blockNumber} came after ${height}`)
      try {
        await onBlock({ blockNumber, blockTime, ...usdtTransfers(infos, contract) })
      } catch (error) {
        const message = `block ${blockNumber} was not handled: ${textOf(error)}`
        return step({ kind: 'handler', message, error })
      }
      height = blockNumber
      if (signal?.aborted) break
    }
    return step()
  } finally {
    stopping.abort()
    await Promise.allSettled(ahead)
  }
}

/** The second node has not answered, which is no news about the first. */
export class SecondNodeSilent extends Error {}

/**
 * Makes sure that a second node has the same transfers in a solid block: transaction, position, receiver and amount.
 *
 * @param ours the receivers whose transfers are compared
 * @throws SecondNodeSilent if it does not have the block yet or does not answer; Error if it says something else
 */
export async function confirmTransfers(
  second: TronNode,
  { blockNumber, transfers }: SolidBlock,
  { contract, ours, signal }: { contract: string; ours: ReadonlySet<string>; signal: AbortSignal },
): Promise<void> {
  const head = await second.solidHead(signal)
  if (!head.ok) throw new SecondNodeSilent(head.failure.message)
  const solidHeight = head.value.blockNumber
  const block = await second.solidBlock({ blockNumber, solidHeight }, signal)
  if (!block.ok) throw new SecondNodeSilent(block.failure.message)
  const said = (list: BlockTransfers['transfers']) =>
    list
      .filter(({ to }) => ours.has(to))
      .map(({ txId, logIndex, to, amountMicro }) => [txId, logIndex, to, amountMicro].join(' '))
      .sort()
      .join('\n')
  if (said(transfers) !== said(usdtTransfers(block.value.infos, contract).transfers)) {
    throw new Error(`the two nodes name different transfers in block ${blockNumber}`)
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
