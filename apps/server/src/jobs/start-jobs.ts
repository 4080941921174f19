import { dayOf } from '@sum28/domain/schedule.ts'
import type { LocalTronNode } from '#src/adapters/chain/local-tron-node.ts'
import type { Chain } from '#src/adapters/chain/open-chain.ts'
import type { MailTransport } from '#src/adapters/mail/transport.ts'
import { leadership } from '#src/db/leadership.ts'
import type { PlaceBet } from '#src/modules/bets/place-bet.ts'
import { readPayouts } from '#src/modules/console/money/chain-payout.ts'
import { addOwnAddress, countOwed } from '#src/modules/disclosure/count-owed.ts'
import { lastCounts } from '#src/modules/disclosure/disclosure-store.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import { pushSenderOf } from '#src/modules/own-account/push.ts'
import { hostOf } from '#src/modules/public-log/log-keys.ts'
import type { AuditHeads } from '#src/modules/staff/audit-heads.ts'
import type { Resources } from '#src/resources.ts'
import { rescanChain } from './chain-rescan.ts'
import { startDepositWatcher, WATCHER_LEAD } from './deposit-watcher.ts'
import { LOG_LEAD, startLog } from './log-driver.ts'
import { ROBOTS_LEAD, startRobots } from './robot-driver.ts'
import { showUnwritten } from './watch-needs.ts'
import { startWorker } from './worker.ts'

/** TRON makes a block every 3 s, and the demo's chain too. */
const WATCH_POLL_MS = 3_000

/**
 * A public node is asked less often. Each block is read twice, as new and as solid, and each step asks for two heads and
 * one block again: 86,400 calls a day, of the 100,000 that TronGrid allows.
 */
const WATCH_TRON_POLL_MS = 9_000

/** Starts the jobs that run without a request: the deposit watcher, the queue's worker, the public log, the robots. */
export async function startJobs(
  deps: Pick<
    Resources,
    | 'config'
    | 'tuning'
    | 'wait'
    | 'addresses'
    | 'connections'
    | 'jobDb'
    | 'cipher'
    | 'secretKeys'
    | 'schedule'
    | 'timeZone'
    | 'now'
    | 'log'
    | 'ending'
    | 'metrics'
  > & {
    chain: Chain
    origin: string
    consoleAt: string
    mail: MailTransport
    heads: AuditHeads
    catalog: () => Promise<Catalog>
    placeBet: PlaceBet
  },
): Promise<void> {
  const { config, tuning, addresses, jobDb: db, now, log, ending, chain } = deps
  showUnwritten(deps.metrics, { db, heads: deps.heads })
  const lead = leadership(addresses.jobs)
  ending.defer(() => lead.close())
  const { second, ...read } = chain.watched(deps.origin)
  const watched = {
    ...read,
    db,
    pollMs: tuning.watchPollMs ?? (config.tron ? WATCH_TRON_POLL_MS : WATCH_POLL_MS),
    log,
  }
  const watcher = startDepositWatcher({
    ...watched,
    second,
    accountKey: chain.accountKey,
    timeZone: deps.timeZone,
    now,
    wait: deps.wait,
    leads: () => lead.holds(WATCHER_LEAD),
    releaseLead: () => lead.release(WATCHER_LEAD),
  })
  ending.defer(() => watcher.stop())

  if (chain.local && config.profile === 'demo') {
    const [secretKey] = deps.secretKeys
    const day = dayOf(deps.timeZone, now())
    await addOwnAddress(db, { local: chain.local, secretKey, host: hostOf(config), day })
    const first = new AbortController()
    const counting = countAtFirstStart({ ...deps, ...watched, local: chain.local }, first.signal)
    ending.defer(async () => {
      first.abort()
      await counting
    })
  }
  const worker = await startWorker({
    url: addresses.jobs,
    connectionsMax: deps.connections.queue,
    db,
    mail: deps.mail,
    cipher: deps.cipher,
    heads: deps.heads,
    now,
    timeZone: deps.timeZone,
    consoleAt: deps.consoleAt,
    privateToo: config.profile === 'demo',
    compareWithChain: (signal) =>
      rescanChain(
        {
          ...watched,
          node: second ?? watched.node,
          watchersNode: watched.node,
          timeZone: deps.timeZone,
          now,
        },
        signal,
      ),
    readPayouts: (signal) => readPayouts({ ...watched, second }, signal),
    countOwed: (order) => countOwed(db, { ...read, second }, order),
    pushSender: pushSenderOf(config),
    schedule: deps.schedule,
    log,
  })
  ending.defer(() => worker.stop())

  const publicLog = await startLog({ ...deps, db, leads: () => lead.holds(LOG_LEAD) })
  ending.defer(() => publicLog.stop())

  if (config.robots) {
    const robots = startRobots({
      db,
      catalog: deps.catalog,
      placeBet: deps.placeBet,
      schedule: deps.schedule,
      now,
      wait: deps.wait,
      log,
      leads: () => lead.holds(ROBOTS_LEAD),
    })
    ending.defer(() => robots.stop())
  }
  // Before the product reports that it has started, members can get deposit addresses.
  await watcher.firstRequest
}

/** Has a new demo count what it owes, by the daily task, once the money of its own address stands in solid blocks. */
async function countAtFirstStart(
  {
    db,
    local,
    pollMs,
    wait,
    log,
  }: Pick<Resources, 'wait' | 'log'> & {
    db: Resources['jobDb']
    local: LocalTronNode
    pollMs: number
  },
  signal: AbortSignal,
): Promise<void> {
  try {
    if ((await lastCounts(db, 1)).length > 0) return
    const height = (await local.height()) + 1
    while (!signal.aborted && (await local.solidHeight()) < height) await wait(pollMs, signal)
    if (signal.aborted) return
    await db.query(`select graphile_worker.add_job('count-owed')`)
  } catch (error) {
    if (!signal.aborted) log.warn({ error }, 'what is owed was not counted at the first start')
  }
}
