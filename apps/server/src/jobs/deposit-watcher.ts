/** Reads the chain block by block and credits what reaches a member's address. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readSolidBlocks } from '#src/adapters/chain/chain-watcher.ts'
import { readSeenTransfers } from '#src/adapters/chain/seen-transfers.ts'
import type { TronNode } from '#src/adapters/chain/tron-node.ts'
import type { UsdtTransfer } from '#src/adapters/chain/usdt-transfers.ts'
import { FIRST_PACE, paceAfter } from '#src/adapters/chain/watch-pace.ts'
import type { Database } from '#src/db/database.ts'
import type { EngineLog } from '#src/engine/engine-log.ts'
import { creditBlock } from '#src/modules/deposits/credit-block.ts'
import { beginWatching, watcherPlace } from '#src/modules/deposits/deposit-store.ts'

export type DepositWatcher = {
  /** Transfers to an address in blocks that are not solid yet: on their way, not credited. */
  seenTo(address: string): readonly UsdtTransfer[]
  stop(): Promise<void>
}

export type WatcherDeps = {
  db: Database
  node: TronNode
  contract: string
  /** Names the chain whose place is kept. */
  chain: string
  timeZone: string
  now: () => number
  pollMs: number
  log: EngineLog
}

export function startDepositWatcher(deps: WatcherDeps): DepositWatcher {
  const { db, node, contract, chain, log } = deps
  const ending = new AbortController()
  const { signal } = ending
  let seen: readonly UsdtTransfer[] = []

  /** The place in the database; at the very first start, the chain's solid head. */
  async function currentPlace(): Promise<number | null> {
    const place = await watcherPlace(db, chain)
    if (place !== null) return place
    const head = await node.solidHead(signal)
    if (!head.ok) return null
    await beginWatching(db, chain, head.value.blockNumber)
    return watcherPlace(db, chain)
  }

  async function step(place: number) {
    const done = await readSolidBlocks({
      node,
      contract,
      place,
      signal,
      onBlock: async (block) => {
        for (const { playerId, txId } of await creditBlock(deps, block)) {
          log.info({ playerId, txId, block: block.blockNumber }, 'deposit credited')
        }
      },
    })
    if (done.stoppedBy && !signal.aborted) {
      log.warn({ kind: done.stoppedBy.kind, place: done.place }, `chain: ${done.stoppedBy.message}`)
    }
    if (done.solidHeight === done.place) {
      seen = (await readSeenTransfers({ node, contract, after: done.place, signal })).transfers
    }
    return done
  }

  async function run(): Promise<void> {
    let pace = FIRST_PACE
    while (!signal.aborted) {
      try {
        const place = await currentPlace()
        const done = place === null ? null : await step(place)
        pace = done ? paceAfter(pace, done, deps.pollMs) : { ...pace, waitMs: deps.pollMs }
      } catch (error) {
        if (!signal.aborted) log.error({ error }, 'the deposit watcher will try again')
        pace = { ...pace, waitMs: deps.pollMs }
      }
      await sleep(pace.waitMs, undefined, { signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    seenTo: (address) => seen.filter(({ to }) => to === address),
    async stop() {
      ending.abort()
      await running
    },
  }
}
