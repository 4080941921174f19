/** Reads the chain block by block and credits transfers to members' addresses. */
import {
  commonSolidHead,
  confirmTransfers,
  FIRST_PACE,
  paceAfter,
  readSeenTransfers,
  readSolidBlocks,
  SecondNodeSilent,
  type SolidBlock,
  type WatchStep,
  type WatchStop,
} from '#src/adapters/chain/chain-watcher.ts'
import type { AccountKey } from '#src/adapters/chain/derive-deposit-address.ts'
import type { TronFailure } from '#src/adapters/chain/tron-call.ts'
import type { TronNode } from '#src/adapters/chain/tron-node.ts'
import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import type { Clock } from '#src/adapters/clock/clock.ts'
import type { Database } from '#src/db/database.ts'
import { watchSpareAddresses } from '#src/modules/deposits/deposit-address.ts'
import {
  beginWatching,
  creditBlock,
  noteSeen,
  ownAddresses,
  watcherHeight,
} from '#src/modules/deposits/deposit-store.ts'
import { type Log, occasionally } from '#src/process/log.ts'

export type DepositWatcher = {
  /** Resolves after the first request to the chain's node, even if the node did not answer, or if another process asks. */
  readonly firstRequest: Promise<void>
  stop(): Promise<void>
}

export type WatcherDeps = {
  db: Database
  node: TronNode
  /** A node of another operator: a block with transfers to our addresses is credited only if it agrees. */
  second: TronNode | null
  contract: string
  accountKey: AccountKey
  /** Names the chain whose position is stored. */
  chain: string
  timeZone: string
  now: () => number
  pollMs: number
  wait: Clock['wait']
  /** Whether this process watches the chain now: two would ask the nodes for everything twice. */
  leads: () => Promise<boolean>
  /** Lets another process watch. */
  releaseLead: () => Promise<void>
  log: Log
}

/** The lead of the watcher; the games' leads are named by the games' ids. */
export const WATCHER_LEAD = 1_002

/** Before so long a pause the lead is released: perhaps another process reaches the nodes. A minute: see `paceAfter`. */
const PAUSE_WITHOUT_LEAD_MS = 60_000

/** This many of the newest blocks are read again: they may have been replaced. */
const LOOK_AGAIN_BLOCKS = 1

/** The most unreadable logs of a block that are named in the log. */
const SKIPPED_NAMED = 20

export function startDepositWatcher(deps: WatcherDeps): DepositWatcher {
  const { db, node, second, contract, chain, now, log } = deps
  const ending = new AbortController()
  const { signal } = ending
  let seenHeight = 0
  let handledHeight = 0
  let solidHeight = 0

  /**
   * The stored position; at the very first start the solid head of both nodes, or why it is not known. Null if another
   * process watches the chain.
   */
  async function currentHeight(): Promise<number | TronFailure | null> {
    if (!(await deps.leads())) return null
    const height = await watcherHeight(db, chain)
    if (height !== null) return height
    await beginWatching(db, chain, null)
    const head = await commonSolidHead(deps, signal)
    if (!head.ok) return head.failure
    await beginWatching(db, chain, head.value.blockNumber)
    return (await watcherHeight(db, chain)) ?? head.value.blockNumber
  }

  /** Throws unless the second node has the same transfers to our addresses. */
  async function confirm(block: SolidBlock): Promise<void> {
    if (!second || block.transfers.length === 0) return
    const ours = await ownAddresses(db, [...new Set(block.transfers.map(({ to }) => to))])
    if (ours.size > 0) await confirmTransfers(second, block, { contract, ours, signal })
  }

  async function credit(block: SolidBlock): Promise<void> {
    const { blockNumber } = block
    // Members may have taken more addresses since the step began than it had noted.
    if (block.transfers.length > 0) await watchSpareAddresses(db, deps.accountKey)
    await confirm(block)
    // Shown as solid from now on, even if the transfer was never shown as seen.
    if (block.transfers.length > 0) await note(block.transfers, blockNumber, blockNumber)
    const credited = await creditBlock(deps, block).catch(async (error: unknown) => {
      // Another process may have the lead by now, and have been first: then its block is completely done.
      const height = await watcherHeight(db, chain)
      if (height === null || height < blockNumber) throw error
      return []
    })
    for (const { playerId, txId, held } of credited) {
      log.info({ playerId, txId, block: blockNumber }, held ? 'deposit held' : 'deposit credited')
    }
    for (const { txId } of block.tooLarge) {
      log.error({ txId, block: blockNumber }, 'a transfer is too large to be recorded')
    }
    const { skipped } = block
    if (skipped.length > 0) {
      // Transfers that cannot be parsed are not credited: staff must look at them.
      const logs = JSON.stringify(skipped.slice(0, SKIPPED_NAMED))
      log.warn(
        { block: blockNumber, count: skipped.length, logs },
        'logs that may be transfers were not read as such',
      )
    }
    handledHeight = blockNumber
  }

  /**
   * Reads blocks above the position, to show their transfers; also while many blocks are left to credit. Returns why it
   * could not, unless the node only has to catch up.
   */
  async function look(): Promise<TronFailure | undefined> {
    const after = Math.max(handledHeight, seenHeight - LOOK_AGAIN_BLOCKS)
    const seen = await readSeenTransfers({ node, contract, after, signal })
    if (seen.height > after) await note(seen.transfers, after + 1, seen.height)
    seenHeight = Math.max(seenHeight, seen.height)
    return seen.stoppedBy?.kind === 'not_yet' ? undefined : seen.stoppedBy
  }

  /** Stores the transfers of a range of blocks for display. */
  function note(transfers: readonly UsdtTransfer[], from: number, to: number): Promise<void> {
    return noteSeen(db, {
      chain,
      height: handledHeight,
      from,
      to,
      solidHeight,
      transfers,
    })
  }

  /** A failing node is a warning, also the second; a failing credit is an error, because a player's money is missing. */
  function logWhy(stop: WatchStop, height: number): void {
    if (stop.kind === 'handler' && !(stop.error instanceof SecondNodeSilent)) {
      log.error({ error: stop.error, block: height + 1 }, 'a block could not be credited')
      return
    }
    const { kind } = stop
    occasionally(
      log,
      { about: chain, now: now(), facts: { kind, height } },
      `chain: ${stop.message}`,
      'warn',
    )
  }

  async function step(from: number | TronFailure): Promise<WatchStep> {
    if (typeof from !== 'number') {
      const done = { handled: 0, height: 0, solidHeight: null, stoppedBy: from }
      if (!signal.aborted) logWhy(from, 0)
      return done
    }
    const height = from
    handledHeight = height
    await watchSpareAddresses(db, deps.accountKey)
    const done = await readSolidBlocks({
      node,
      second,
      contract,
      height,
      signal,
      onBlock: credit,
      onSolidHeight: (height) => {
        solidHeight = height
      },
    })
    if (done.stoppedBy && !signal.aborted) logWhy(done.stoppedBy, done.height)
    // A node that has just failed gets no further requests.
    if (done.stoppedBy) return done
    const blind = await look()
    if (!blind || signal.aborted) return done
    logWhy({ ...blind, message: `the newest blocks: ${blind.message}` }, done.height)
    // What is solid is read although the rest fails. But a node that was asked too often gets its pause.
    const refuses = blind.kind === 'refused' || blind.kind === 'rate_limited'
    return refuses ? { ...done, stoppedBy: blind } : done
  }

  const first = Promise.withResolvers<void>()

  async function run(): Promise<void> {
    let pace = FIRST_PACE
    while (!signal.aborted) {
      try {
        const from = await currentHeight().finally(first.resolve)
        if (from === null) pace = { failuresInRow: 0, waitMs: deps.pollMs }
        else pace = paceAfter(pace, await step(from), deps.pollMs)
        if (pace.waitMs >= PAUSE_WITHOUT_LEAD_MS && !signal.aborted) {
          // If that fails, the lead ends with its connection.
          await deps.releaseLead().catch(() => {})
        }
      } catch (error) {
        if (!signal.aborted) log.error({ error }, 'the deposit watcher will try again')
        pace = { ...pace, waitMs: deps.pollMs }
      }
      await deps.wait(pace.waitMs, signal)
    }
    first.resolve()
  }

  const running = run()
  return {
    firstRequest: first.promise,
    async stop() {
      ending.abort()
      await running
    },
  }
}
