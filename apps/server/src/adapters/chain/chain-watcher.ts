import { fail, type TronAnswer, type TronFailure } from './tron-call.ts'
import type { BlockHead, TronBlock, TronNode } from './tron-node.ts'
import { type BlockTransfers, type UsdtTransfer, usdtTransfers } from './usdt-transfers.ts'

/** So many blocks are requested at once. */
const READ_AHEAD = 4

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
 * The newest block that is solid on both nodes, since one alone may invent a height; without a second, on the first. Its
 * time is the earlier of the two that they say, since one alone may invent a time, and null if one says none.
 */
export async function commonSolidHead(
  { node, second }: { node: TronNode; second?: TronNode | null },
  signal?: AbortSignal,
): Promise<TronAnswer<BlockHead>> {
  const head = await node.solidHead(signal)
  if (!second || !head.ok) return head
  const other = await second.solidHead(signal)
  if (!other.ok) {
    return fail({ ...other.failure, message: `the second node: ${other.failure.message}` })
  }
  const heads = [head.value, other.value]
  const times = heads.map(({ blockTime }) => blockTime?.getTime() ?? Number.NaN)
  const earlier = Math.min(...times)
  return {
    ok: true,
    value: {
      blockNumber: Math.min(...heads.map(({ blockNumber }) => blockNumber)),
      blockTime: Number.isNaN(earlier) ? null : new Date(earlier),
    },
  }
}

/**
 * One step of the watcher: reads solidified blocks from `height` + 1 upwards, at most `maxBlocks`, and passes them on
 * strictly in order, without gaps, until the first failure. It has no state: `onBlock` commits the effect of a block
 * and the new position in one transaction, and the next step gets the committed position. (After a handler that
 * threw, read the position again: the commit may have succeeded.) Blocks are requested ahead. With a
 * second node the step ends at the lesser of the two solid heights.
 * Rejects only if `height` is no block number.
 */
export async function readSolidBlocks(options: {
  node: TronNode
  second?: TronNode | null
  /** The token's contract, base58check. */
  contract: string
  height: number
  onBlock: (block: SolidBlock) => Promise<void>
  /** Called with the solid height before the first block is read. */
  onSolidHeight?: (solidHeight: number) => void
  maxBlocks?: number
  signal?: AbortSignal
}): Promise<WatchStep> {
  const { node, contract, onBlock, maxBlocks = 100, signal } = options
  let { height } = options
  if (!Number.isSafeInteger(height) || height < 0)
    throw new Error(`no height in a chain: ${height}`)
  const start = height
  const head = await commonSolidHead(options, signal)
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
      while (requested < last && ahead.length < READ_AHEAD) {
        requested += 1
        ahead.push(node.solidBlock({ blockNumber: requested }, reading))
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

/** Both nodes have answered, and do not say the same. */
export class NodesDiffer extends Error {}

/**
 * Makes sure that a second node has the same transfers in a block that is solid there: its time, and of each the transaction,
 * position, sender, receiver and amount.
 *
 * @param ours the receivers whose transfers are compared
 * @throws SecondNodeSilent if it does not answer; NodesDiffer if it says something else
 */
export async function confirmTransfers(
  second: TronNode,
  { blockNumber, blockTime, transfers }: SolidBlock,
  { contract, ours, signal }: { contract: string; ours: ReadonlySet<string>; signal: AbortSignal },
): Promise<void> {
  const block = await second.solidBlock({ blockNumber }, signal)
  if (!block.ok) throw new SecondNodeSilent(block.failure.message)
  const recordsOf = (time: Date | null, list: BlockTransfers['transfers']) =>
    list
      .filter(({ to }) => ours.has(to))
      .map(({ txId, logIndex, from, to, amountMicro }) =>
        [time?.getTime(), txId, logIndex, from, to, amountMicro].join(' '),
      )
      .sort()
      .join('\n')
  const others = usdtTransfers(block.value.infos, contract).transfers
  if (recordsOf(blockTime, transfers) !== recordsOf(block.value.blockTime, others)) {
    throw new NodesDiffer(`the two nodes name different transfers in block ${blockNumber}`)
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export type SeenTransfers = {
  transfers: UsdtTransfer[]
  /** The last block that was read: pass it as `after` next time. */
  height: number
  stoppedBy?: TronFailure
}

const SEEN_BLOCKS_MAX = 30

/**
 * Transfers in blocks that are not solid yet, so that a player sees 'seen' about a minute before the credit. For
 * display only: such a block may still be replaced. Ends at one that the node does not have. Reads at most the newest
 * {@link SEEN_BLOCKS_MAX}. Never rejects.
 */
export async function readSeenTransfers(options: {
  node: TronNode
  contract: string
  /** The last block that was read, or the last solid one. */
  after: number
  signal?: AbortSignal
}): Promise<SeenTransfers> {
  const { node, contract, after, signal } = options
  const seen: SeenTransfers = { transfers: [], height: after }
  const head = await node.head(signal)
  if (!head.ok) return { ...seen, stoppedBy: head.failure }
  const last = head.value.blockNumber
  for (let number = Math.max(after, last - SEEN_BLOCKS_MAX) + 1; number <= last; number += 1) {
    const block = await node.freshBlock({ blockNumber: number }, signal)
    if (!block.ok) return { ...seen, stoppedBy: block.failure }
    seen.transfers.push(...usdtTransfers(block.value.infos, contract).transfers)
    seen.height = number
  }
  return seen
}

/** How the watcher's next step is timed: the state between two steps. */
export type WatchPace = { failuresInRow: number; waitMs: number }

export const FIRST_PACE: WatchPace = { failuresInRow: 0, waitMs: 0 }

const POLL_MS = 3_000
const BACK_OFF_MIN_MS = 1_000
const BACK_OFF_MAX_MS = 60_000
/** TronGrid blocks a client that asks too often for 30 s, and for 30 s more if it asks meanwhile. */
const REFUSED_MIN_MS = 30_000
/** The pause that a node asks for is respected, up to an hour: a wrong header must not stop deposits forever. */
const RETRY_AFTER_MAX_MS = 3_600_000

/**
 * How long to wait after a step. No time while blocks are left to read; `pollMs` (3 s) if the watcher has reached the
 * node's height or the node has to catch up; after failures twice as long each time, 1 s to 60 s, and never shorter
 * than the node asks for. A step that made progress resets the count.
 */
export function paceAfter(previous: WatchPace, step: WatchStep, pollMs = POLL_MS): WatchPace {
  const { stoppedBy } = step
  if (stoppedBy === undefined || stoppedBy.kind === 'stopped') {
    const behind = step.solidHeight !== null && step.height < step.solidHeight
    return { failuresInRow: 0, waitMs: behind ? 0 : pollMs }
  }
  if (stoppedBy.kind === 'not_yet' || stoppedBy.kind === 'node_behind') {
    return { failuresInRow: 0, waitMs: pollMs }
  }
  const failuresInRow = step.handled > 0 ? 1 : previous.failuresInRow + 1
  const doubled = BACK_OFF_MIN_MS * 2 ** Math.min(failuresInRow - 1, 10)
  let waitMs = Math.min(doubled, BACK_OFF_MAX_MS)
  if (stoppedBy.kind === 'refused') waitMs = Math.max(waitMs, REFUSED_MIN_MS)
  if (stoppedBy.kind !== 'handler' && stoppedBy.retryAfterMs !== null) {
    waitMs = Math.max(waitMs, Math.min(stoppedBy.retryAfterMs, RETRY_AFTER_MAX_MS))
  }
  return { failuresInRow, waitMs }
}
