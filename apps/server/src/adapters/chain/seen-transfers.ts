import type { TronFailure } from './tron-call.ts'
import type { TronNode } from './tron-node.ts'
import { type UsdtTransfer, usdtTransfers } from './usdt-transfers.ts'

export type SeenTransfers = {
  transfers: UsdtTransfer[]
  /** The last block that was read: pass it as `after` next time. */
  height: number
  stoppedBy?: TronFailure
}

/**
 * Transfers in blocks that are not solid yet, so that a player sees 'seen' about a minute before the credit. For
 * display only: such a block may still be replaced, and one that a node does not have is skipped. Reads at most the
 * newest `maxBlocks` (30). Never rejects.
 */
export async function readSeenTransfers(options: {
  node: TronNode
  contract: string
  /** The last block that was read, or the last solid one. */
  after: number
  maxBlocks?: number
  signal?: AbortSignal
}): Promise<SeenTransfers> {
  const { node, contract, after, maxBlocks = 30, signal } = options
  const seen: SeenTransfers = { transfers: [], height: after }
  const head = await node.head(signal)
  if (!head.ok) return { ...seen, stoppedBy: head.failure }
  const last = head.value.blockNumber
  for (let number = Math.max(after, last - maxBlocks) + 1; number <= last; number += 1) {
    const block = await node.freshBlock({ blockNumber: number }, signal)
    if (!block.ok) return { ...seen, stoppedBy: block.failure }
    seen.transfers.push(...usdtTransfers(block.value.infos, contract).transfers)
    seen.height = number
  }
  return seen
}
