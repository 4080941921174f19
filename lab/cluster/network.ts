/**
 * Where the PostgreSQL nodes are: all at this machine's own address, or each in a network namespace of its own, as
 * on a machine of its own, with one link to a bridge that the rest of the cluster is at.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

export type Link = { cut(): void; heal(): void }

export type NetworkAddress = {
  /** Where the node's servers listen. */
  readonly host: string
  /** What its programs are started by. */
  readonly enter: readonly string[]
  /** Its only way to all others; null at this machine's own address. */
  readonly link: Link | null
}

export type Network = {
  readonly addresses: readonly NetworkAddress[]
  /** Where nodes reach what is not a node. */
  readonly hub: string
  /** The addresses of all, in CIDR. */
  readonly range: string
  close(): void
}

const NAMESPACES = '/run/netns'

/** Of the networks for measurements (RFC 2544), which no other machine has an address in. */
const netOf = (run: number) => `198.18.${run % 256}`
const namesOf = (run: number) => ({ bridge: `s28b${run}`, spaces: `sum28-${run}-` })

/** All nodes at this machine's own address. */
export function ownAddress(count: number): Network {
  const address: NetworkAddress = { host: '127.0.0.1', enter: [], link: null }
  const addresses = Array.from({ length: count }, () => address)
  return { addresses, hub: address.host, range: '127.0.0.1/32', close() {} }
}

/** A namespace for each node; null where this machine does not let this user make them. */
export function openNamespaces(count: number): Network | null {
  const run = process.pid
  const { bridge, spaces } = namesOf(run)
  const net = netOf(run)
  const hub = `${net}.254`
  const close = () => removeNamespaces(run)
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${hub}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    const addresses = Array.from({ length: count }, (_, index): NetworkAddress => {
      const [space, link, host] = [
        `${spaces}${index}`,
        `s28v${run}n${index}`,
        `${net}.${index + 1}`,
      ]
      ip('netns', 'add', space)
      ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
      ip('link', 'set', link, 'master', bridge, 'up')
      ip('-n', space, 'addr', 'add', `${host}/24`, 'dev', 'eth0')
      for (const inside of ['eth0', 'lo']) ip('-n', space, 'link', 'set', inside, 'up')
      return {
        host,
        enter: ['nsenter', `--net=${NAMESPACES}/${space}`],
        link: {
          cut: () => ip('link', 'set', link, 'down'),
          heal: () => ip('link', 'set', link, 'up'),
        },
      }
    })
    return { addresses, hub, range: `${net}.0/24`, close }
  } catch {
    close()
    return null
  }
}

/** Removes what a run has made; its processes have ended. */
export function removeNamespaces(run: number): void {
  const { bridge, spaces } = namesOf(run)
  const all = existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : []
  for (const space of all.filter((name) => name.startsWith(spaces))) {
    spawnSync('ip', ['netns', 'del', space])
  }
  if (existsSync(`/sys/class/net/${bridge}`)) spawnSync('ip', ['link', 'del', bridge])
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args)
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}
