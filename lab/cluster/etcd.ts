/** Three members of etcd, which decide which PostgreSQL node leads. */
import { join } from 'node:path'
import { freePorts, makePart, type Part, until } from './parts.ts'
import { ETCD } from './programs.ts'

const MEMBERS = 3

type Status = { header: { member_id: string }; leader: string }

/** Starts the members and waits until they have a leader. */
export async function startEtcd(folder: string, user: string) {
  const ports = await freePorts(2 * MEMBERS)
  const clientPorts = ports.slice(0, MEMBERS)
  const peers = ports.slice(MEMBERS).map((port) => `http://127.0.0.1:${port}`)
  const cluster = peers.map((url, index) => `etcd${index + 1}=${url}`).join(',')
  const members = clientPorts.map((port, index) => {
    const name = `etcd${index + 1}`
    return makePart({
      name,
      user,
      command: ETCD,
      args: [
        ...['--name', name, '--data-dir', join(folder, name)],
        ...['--listen-client-urls', `http://127.0.0.1:${port}`],
        ...['--advertise-client-urls', `http://127.0.0.1:${port}`],
        ...['--listen-peer-urls', peers[index] ?? ''],
        ...['--initial-advertise-peer-urls', peers[index] ?? ''],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
        '--enable-v2',
        // A busy machine is sometimes late; that must not cause an election.
        ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
      ],
      logFile: join(folder, `${name}.log`),
    })
  })

  async function statusOf(port: number): Promise<Status> {
    const reply = await fetch(`http://127.0.0.1:${port}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(5_000),
    })
    return (await reply.json()) as Status
  }

  async function leader(): Promise<Part> {
    return until('etcd has a leader', async () => {
      const all = await Promise.allSettled(clientPorts.map(statusOf))
      const led = all.findIndex(
        (each) => each.status === 'fulfilled' && each.value.header.member_id === each.value.leader,
      )
      return members[led]
    })
  }

  for (const member of members) member.start()
  await leader()
  return {
    ports: clientPorts,
    members,
    leader,
    /** Whether every member answers and knows the leader. */
    async isWhole(): Promise<boolean> {
      const all = await Promise.all(clientPorts.map(statusOf))
      return new Set(all.map(({ leader: led }) => led)).size === 1 && all[0]?.leader !== '0'
    },
  }
}
