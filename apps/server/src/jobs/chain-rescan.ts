/**
 * The daily comparison of chain and ledger: reads the chain again, up to the watcher's height, and reports each
 * difference once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  confirmTransfers,
  FIRST_PACE,
  NodesDiffer,
  paceAfter,
  readSolidBlocks,
} from '#src/adapters/chain/chain-watcher.ts'
import type { TronNode } from '#src/adapters/chain/tron-node.ts'
import { type UsdtTransfer, usdtTransfers } from '#src/adapters/chain/usdt-transfers.ts'
import type { Database } from '#src/db/database.ts'
import {
  compareWithChain,
  creditedBlocks,
  type Difference,
  keepStrayDeposits,
  missedBlocks,
  noteAbsent,
  noteCompared,
  rescanPosition,
} from '#src/modules/deposits/compare-with-chain.ts'
import { creditBlock, ownAddresses, watcherHeight } from '#src/modules/deposits/deposit-store.ts'
import type { Log } from '#src/process/log.ts'

/** Blocks that are read again although they were compared last time: about one hour. */
const OVERLAP_BLOCKS = 1_200

const BATCH_BLOCKS = 100

/** After this many steps in a row without progress the job fails, and the queue runs it again. */
const STALLS_MAX = 12

/** How far back to search for deposits that were booked without any transfer, or whose block is none of those compared. */
const STRAYS_DAYS = 7
/** A comparison that fails on two days still reads the blocks of all transfers that were credited meanwhile. */
const CREDITED_DAYS = 3

export type RescanDeps = {
  db: Database
  /** Another node than the watcher's, if there is one. */
  node: TronNode
  watchersNode: TronNode
  contract: string
  /** Names the chain whose watcher's height ends the comparison. */
  chain: string
  timeZone: string
  now: () => number
  pollMs: number
  log: Log
}

/**
 * Compares the blocks since the last comparison, and of one hour before it, with the records and the bookings. A node
 * that fails is asked again after growing pauses. An interrupted run keeps its progress, and the next one continues
 * from there. What the watcher's node had hidden is credited once it has it too. The blocks of all transfers that were
 * credited in the last days are compared again: a false one may have been recorded behind the comparison.
 *
 * @returns how many blocks were compared and the differences that were new
 * @throws if it is stopped, or if the node keeps failing
 */
export async function rescanChain(
  deps: RescanDeps,
  signal: AbortSignal,
): Promise<{ blocks: number; found: number }> {
  const { db, chain, log } = deps
  // Before the height: none of them is above it, but false ones.
  const credited = await creditedBlocks(db, CREDITED_DAYS)
  const last = await watcherHeight(db, chain)
  const compared = await rescanPosition(db, chain)
  if (last === null || compared === null) return { blocks: 0, found: 0 }

  const start = Math.max(compared.begunAfter, Math.min(compared.block, last) - OVERLAP_BLOCKS)
  let differences = await compareBlocks(deps, { after: start, last }, signal)
  differences += report(log, await keepStrayDeposits(db, STRAYS_DAYS))
  for (const block of await missedBlocks(db)) await creditMissed(deps, block, signal)
  for (const block of credited) {
    const alone = { after: block - 1, last: block }
    if (block <= start) differences += await compareBlocks(deps, alone, signal)
    if (block > last) {
      const none = { chain: null, transfers: [], ...alone }
      differences += report(log, await compareWithChain(db, none))
    }
  }
  await noteCompared(db, chain)
  log.info({ after: start, last, found: differences }, 'chain and ledger were compared')
  return { blocks: last - start, found: differences }
}

/** Compares the blocks above `after` up to `last`; returns how many differences were new. */
async function compareBlocks(
  { db, node, contract, chain, pollMs, log }: RescanDeps,
  { after, last }: { after: number; last: number },
  signal: AbortSignal,
): Promise<number> {
  let height = after
  let pace = FIRST_PACE
  let stalls = 0
  let differences = 0
  while (height < last) {
    const transfers: UsdtTransfer[] = []
    const step = await readSolidBlocks({
      node,
      contract,
      height,
      signal,
      maxBlocks: Math.min(BATCH_BLOCKS, last - height),
      onBlock: async (block) => {
        transfers.push(...block.transfers)
      },
    })
    if (step.height > height) {
      differences += report(
        log,
        await compareWithChain(db, { chain, transfers, after: height, last: step.height }),
      )
    }
    height = step.height
    if (signal.aborted) throw new Error('the comparison with the chain was stopped')
    pace = paceAfter(pace, step, pollMs)
    stalls = step.handled > 0 ? 0 : stalls + 1
    if (stalls > STALLS_MAX) {
      const why = step.stoppedBy?.message ?? 'the node has no more'
      throw new Error(`the comparison with the chain stands at block ${height}: ${why}`)
    }
    if (height < last) await sleep(pace.waitMs, undefined, { signal })
  }
  return differences
}

/** Takes a block again with a transfer that is not in the books, if both nodes name the same ones; notes it if not. */
async function creditMissed(
  deps: RescanDeps,
  blockNumber: number,
  signal: AbortSignal,
): Promise<void> {
  const { db, node, watchersNode, contract, log } = deps
  try {
    const answer = await node.solidBlock({ blockNumber }, signal)
    if (!answer.ok) throw new Error(answer.failure.message)
    const { blockTime, infos } = answer.value
    const block = { blockNumber, blockTime, ...usdtTransfers(infos, contract) }
    const ours = await ownAddresses(db, [...new Set(block.transfers.map(({ to }) => to))])
    await confirmTransfers(watchersNode, block, { contract, ours, signal })
    for (const { playerId, txId, held } of await creditBlock({ ...deps, again: true }, block)) {
      log.info({ playerId, txId, block: blockNumber }, held ? 'deposit held' : 'deposit credited')
    }
  } catch (error) {
    log.error({ error, block: blockNumber }, 'a missing deposit could not be credited')
    if (!(error instanceof NodesDiffer)) return
  }
  await noteAbsent(db, blockNumber)
}

/** Names each difference by its transaction: logs contain no addresses of players. */
function report(log: Log, differences: readonly Difference[]): number {
  for (const { kind, txId, logIndex, details } of differences) {
    log.error({ kind, txId, logIndex, ...details }, 'chain and ledger differ')
  }
  return differences.length
}
