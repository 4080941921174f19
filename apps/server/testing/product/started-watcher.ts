/** A watcher of deposits without the rest of the product. */
import { onTestFinished } from 'vitest'
import { USDT_MAINNET_CONTRACT } from '#src/adapters/chain/tron-address.ts'
import { type DepositWatcher, startDepositWatcher } from '#src/jobs/deposit-watcher.ts'
import { publishedKey } from '../hosts/served-local-node.ts'
import { machineWait } from '../requests/patience.ts'

type WatcherDeps = Parameters<typeof startDepositWatcher>[0]

/** Starts one that always leads; it ends with its test, or before. */
export function startWatcher(
  deps: Pick<WatcherDeps, 'db' | 'node' | 'log'> & Partial<WatcherDeps>,
): DepositWatcher {
  const watcher = startDepositWatcher({
    second: null,
    contract: USDT_MAINNET_CONTRACT,
    chain: 'local',
    accountKey: publishedKey(),
    timeZone: 'UTC',
    now: Date.now,
    // After a failure too, the test waits for no pause.
    pollMs: 20,
    wait: (_ms, signal) => machineWait(20, signal),
    leads: async () => true,
    releaseLead: async () => {},
    ...deps,
  })
  onTestFinished(() => watcher.stop())
  return watcher
}
