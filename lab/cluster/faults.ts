/** The faults, one after the other. Each ends when all parts are running again. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { until } from './parts.ts'
import { freeBytes, type PostgresNode } from './postgres-nodes.ts'
import { untilReady } from './product-parts.ts'

export type InjectedFault = {
  name: string
  /** Part of the short run. */
  short: boolean
  /** Causes the fault. @returns null if this machine does not allow it */
  cause(cluster: Cluster): Promise<Caused | null>
}

type Caused = {
  /** Waits for what the cluster has to do. @returns a remark for the table */
  wait(): Promise<string>
  repair?: () => void
}

/** How long a part is down if nothing else decides that. */
const AWAY_MS = 8_000

const KILL_PRIMARY: InjectedFault = {
  name: 'kill -9 of the primary and its Patroni',
  short: true,
  async cause({ postgres }) {
    const primary = await postgres.primary()
    await primary.part.kill()
    return {
      wait: async () => `${primary.name} → ${(await anotherPrimary(postgres, primary)).name}`,
      repair: () => primary.part.start(),
    }
  },
}

const KILL_ENGINE: InjectedFault = {
  name: 'kill -9 of the leading engine',
  short: true,
  async cause(cluster) {
    const leader = await leadingEngine(cluster)
    await leader.kill()
    return {
      wait: async () => `${leader.name} → ${await anotherEngine(cluster, leader.name)}`,
      repair: () => leader.start(),
    }
  },
}

const KILL_API: InjectedFault = {
  name: 'kill -9 of an API process',
  short: true,
  async cause({ product }) {
    const api = product.find(({ role }) => role === 'api')
    await api?.kill()
    return { wait: () => sleep(AWAY_MS, api?.name ?? ''), repair: () => api?.start() }
  },
}

const UPGRADE_IN_TURN: InjectedFault = {
  name: 'an upgrade, one process after the other',
  short: true,
  cause: async ({ product, leadingEngine }) => ({
    async wait() {
      const leader = await leadingEngine()
      const order = ['jobs', 'api', 'engine']
      const others = product
        .filter((part) => part !== leader)
        .toSorted((one, other) => order.indexOf(one.role) - order.indexOf(other.role))
      for (const part of leader ? [...others, leader] : others) {
        await part.end()
        part.start()
        await untilReady(part)
      }
      return ''
    },
  }),
}

const UPGRADE_AT_ONCE: InjectedFault = {
  name: 'an upgrade, all five processes stopped and then started',
  // A busy machine starts them for longer than the 30 s after which betting stops without an engine.
  short: false,
  cause: async ({ product }) => ({
    async wait() {
      const began = performance.now()
      const since = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
      const ended = product.map(async (part) => {
        await part.end()
        return `${part.name} ${since()}`
      })
      const ends = await Promise.all(ended)
      // One that takes orders and one that drives rounds: the others would take their processors.
      const first = product.filter(({ name }) => name === 'api-1' || name === 'engine-1')
      const rest = product.filter((part) => !first.includes(part))
      const ready: string[] = []
      for (const wave of [first, rest]) {
        for (const part of wave) part.start()
        await Promise.all(wave.map(untilReady))
        ready.push(`${wave.map(({ name }) => name).join(', ')} ${since()}`)
      }
      return `ended: ${ends.join(', ')}; ready: ${ready.join('; ')}`
    },
  }),
}

const KILL_ETCD: InjectedFault = {
  name: 'kill -9 of etcd’s leader',
  short: false,
  async cause({ etcd }) {
    const leader = await etcd.leader()
    await leader.kill()
    return {
      async wait() {
        const next = await until('another member of etcd leads', async () => {
          const led = await etcd.leader()
          return led !== leader && led
        })
        return sleep(AWAY_MS, `${leader.name} → ${next.name}`)
      },
      repair: () => leader.start(),
    }
  },
}

const FREEZE_PRIMARY = primaryAway(
  'SIGSTOP of the primary, woken after the take-over',
  ({ part }) => {
    part.freeze()
    return () => part.wake()
  },
)

const FREEZE_ENGINE: InjectedFault = {
  name: 'SIGSTOP of the leading engine, woken after the take-over',
  short: false,
  async cause(cluster) {
    const leader = await leadingEngine(cluster)
    leader.freeze()
    return {
      wait: async () => {
        const next = await anotherEngine(cluster, leader.name)
        return sleep(AWAY_MS, `${leader.name} → ${next}`)
      },
      repair: () => leader.wake(),
    }
  },
}

const CUT_PRIMARY = primaryAway(
  'the primary’s paths to etcd and the replicas cut, not that to the players',
  ({ paths }) => {
    for (const path of paths) path.cut()
    return () => {
      for (const path of paths) path.heal()
    }
  },
)

const FILL_REPLICA: InjectedFault = {
  name: 'the synchronous replica’s disk full',
  short: false,
  async cause({ postgres }) {
    const replica = await postgres.synchronousReplica()
    if (!replica.ownDisk) return null
    const repair = fillDisk(replica)
    return {
      async wait() {
        const next = await until('another replica is synchronous', async () => {
          const other = await postgres.synchronousReplica()
          return other !== replica && other
        })
        return `${replica.name} → ${next.name}`
      },
      repair,
    }
  },
}

const FILL_PRIMARY: InjectedFault = {
  name: 'the primary’s disk full for 8 s',
  short: false,
  async cause({ postgres }) {
    const primary = await postgres.primary()
    if (!primary.ownDisk) return null
    const repair = fillDisk(primary)
    // It remains the leader, because Patroni sees no fault in it, and refuses all writes.
    return { wait: () => sleep(AWAY_MS, primary.name), repair }
  },
}

export const FAULTS: readonly InjectedFault[] = [
  ...[KILL_PRIMARY, KILL_ENGINE, KILL_API, UPGRADE_IN_TURN, UPGRADE_AT_ONCE, KILL_ETCD],
  ...[FREEZE_PRIMARY, FREEZE_ENGINE, CUT_PRIMARY, FILL_REPLICA, FILL_PRIMARY],
]

/** The primary is away until another node leads, and some time more. @param away gives what repairs it */
function primaryAway(name: string, away: (primary: PostgresNode) => () => void): InjectedFault {
  return {
    name,
    short: false,
    async cause({ postgres }) {
      const primary = await postgres.primary()
      const repair = away(primary)
      return {
        async wait() {
          const next = await anotherPrimary(postgres, primary)
          return sleep(AWAY_MS, `${primary.name} → ${next.name}`)
        },
        repair,
      }
    },
  }
}

function anotherPrimary(postgres: Cluster['postgres'], than: PostgresNode): Promise<PostgresNode> {
  return until('another node leads', async () => {
    const node = await postgres.primary()
    return node !== than && node
  })
}

async function leadingEngine(cluster: Cluster) {
  return until('an engine leads', () => cluster.leadingEngine())
}

function anotherEngine(cluster: Cluster, than: string): Promise<string> {
  return until('another engine leads', async () => {
    const leader = await cluster.leadingEngine()
    return leader && leader.name !== than && leader.name
  })
}

/** Uses up the free space of a node's disk; returns the function that frees it. */
function fillDisk(node: PostgresNode): () => void {
  const file = join(node.dataDir, '..', 'filler')
  const open = openSync(file, 'w')
  const block = Buffer.alloc(1024 ** 2)
  try {
    while (freeBytes(node) > 0) writeSync(open, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(open)
  }
  return () => rmSync(file, { force: true })
}
