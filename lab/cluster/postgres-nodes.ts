/** Three PostgreSQL nodes under Patroni, which chooses the first synchronous replica, and HAProxy in front. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts, giveTo, makePart, type Part, until } from './parts.ts'
import { openPath, type Path } from './paths.ts'
import { type Pace, patroniSettings } from './patroni-settings.ts'
import { PATRONI, postgresFolder } from './programs.ts'

export const NODES = 3

/** The size of each node's own file system, if one can be mounted. */
const DISK_BYTES = 768 * 1024 ** 2

export type PostgresNode = {
  /** Patroni and the PostgreSQL that it has started. */
  readonly part: Part
  readonly name: string
  readonly port: number
  readonly restPort: number
  /** From this node to etcd, and from the other nodes to this one. HAProxy has a separate path to it. */
  readonly paths: readonly Path[]
  readonly dataDir: string
  /** Whether its data is on a separate file system, which can be filled without affecting others. */
  readonly ownDisk: boolean
}

type Setup = {
  folder: string
  user: string
  etcdPorts: readonly number[]
  password: string
  pace: Pace
}

type Member = {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

export async function startPostgresNodes(setup: Setup) {
  const ports = await freePorts(2 * NODES)
  const nodes: PostgresNode[] = []
  for (let index = 0; index < NODES; index += 1) {
    nodes.push(
      await prepareNode({
        ...setup,
        name: `node${index + 1}`,
        port: ports[2 * index] ?? 0,
        restPort: ports[2 * index + 1] ?? 0,
      }),
    )
  }

  async function membersBy({ restPort }: PostgresNode): Promise<Member[]> {
    const reply = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
      signal: AbortSignal.timeout(5_000),
    })
    return ((await reply.json()) as { members: Member[] }).members
  }

  /** A node that answers HAProxy's health check with yes. */
  async function nodeThatIs(role: string): Promise<PostgresNode> {
    return until(`a node is ${role}`, async () => {
      const all = await Promise.all(nodes.map((node) => answers(node, role)))
      return nodes[all.indexOf(true)]
    })
  }

  for (const { part } of nodes) part.start()
  return {
    nodes,
    /** The leading node, according to the nodes that answer. */
    primary: () => nodeThatIs('primary'),
    synchronousReplica: () => nodeThatIs('synchronous'),
    /** Whether one node leads, two follow it, and one of them synchronously. */
    async isWhole(): Promise<boolean> {
      const leader = await nodeThatIs('primary')
      const members = await membersBy(leader)
      const [first] = members.filter(({ role }) => role === 'leader')
      const following = members.filter(
        ({ role, state, timeline, lag }) =>
          role !== 'leader' &&
          /^(running|streaming)$/.test(state) &&
          timeline === first?.timeline &&
          lag === 0,
      )
      const all = await Promise.all(nodes.map((node) => answers(node, 'synchronous')))
      return following.length === NODES - 1 && all.filter(Boolean).length === 1
    },
    async stop(): Promise<void> {
      for (const { part, paths, ownDisk, dataDir } of nodes) {
        part.wake()
        await part.kill()
        for (const path of paths) path.close()
        if (ownDisk) spawnSync('umount', ['-l', join(dataDir, '..')])
      }
    },
  }
}

async function answers({ restPort }: PostgresNode, role: string): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${restPort}/${role}`, {
      signal: AbortSignal.timeout(3_000),
    })
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    return false
  }
}

async function prepareNode(
  setup: Setup & { name: string; port: number; restPort: number },
): Promise<PostgresNode> {
  const { folder, user, name, port, restPort, etcdPorts, password, pace } = setup
  const disk = join(folder, name)
  mkdirSync(disk)
  const ownDisk = mountDisk(disk)
  giveTo(user, disk)
  const dataDir = join(disk, 'data')
  const toEtcd = await Promise.all(etcdPorts.map(openPath))
  const [toPostgres, toRest] = [await openPath(port), await openPath(restPort)]
  const settingsFile = join(folder, `${name}.json`)
  const settings = patroniSettings({
    name,
    dataDir,
    port,
    restPort,
    password,
    pace,
    socketDir: folder,
    binDir: postgresFolder() ?? '',
    portForOthers: toPostgres.port,
    restPortForOthers: toRest.port,
    etcdPorts: toEtcd.map((path) => path.port),
  })
  writeFileSync(settingsFile, settings, { mode: 0o600 })
  giveTo(user, settingsFile)
  const part = makePart({
    name,
    user,
    command: PATRONI,
    args: [settingsFile],
    logFile: join(folder, `${name}.log`),
    // Patroni detaches the server that it starts, so the server outlives Patroni.
    other: () => postmasterOf(dataDir),
  })
  const paths = [...toEtcd, toPostgres, toRest]
  return { part, name, port, restPort, paths, dataDir, ownDisk }
}

function mountDisk(folder: string): boolean {
  if (process.getuid?.() !== 0) return false
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]
  return spawnSync('mount', options).status === 0
}

export function freeBytes({ dataDir }: PostgresNode): number {
  const { bavail, bsize } = statfsSync(join(dataDir, '..'))
  return bavail * bsize
}

/** The server that runs on a data folder; null while there is none. */
export function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    // The file stays after a server was killed, and its process id may be reused.
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes(dataDir) ? pid : null
  } catch {
    return null
  }
}
