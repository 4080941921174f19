/** The network of an address, and those around it: callers are counted by them and by nothing else. */
import { isIP, isIPv4, isIPv6 } from 'node:net'

/** All invalid addresses count as one network. */
const UNKNOWN_NETWORK = 'unknown'

/**
 * An IPv4 address itself, also if it is written as IPv6 (`::ffff:192.0.2.7`); for any other IPv6 address its /64,
 * because one customer has all addresses of it: `2001:db8:1:2::/64`. Its own results are returned unchanged. A port
 * after the address, which some proxies write, is ignored. Node knows no address for a connection that has already
 * ended.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return UNKNOWN_NETWORK
  if (isIPv4(address)) return address
  const bare = address
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\/64$/, '')
  const withPort = /^([\d.]+):\d+$/.exec(bare)?.[1]
  if (withPort !== undefined) return isIPv4(withPort) ? withPort : UNKNOWN_NETWORK
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return UNKNOWN_NETWORK
  const groups = groupsOf(bare)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  const head = groups.slice(0, 4).map((group) => group.toString(16))
  return `${head.join(':')}::/64`
}

/** A network that a caller counts for, and how many times what one /64 may do all of it may do together. */
type CountedNetwork = { name: string; share: number }

/**
 * The networks that a caller counts for: his own, and, as a customer may have a /56 or a /48 of IPv6 (RFC 6177), those
 * around it. They may do four and sixteen times as much, and not 256 and 65,536 times.
 *
 * @param network as `networkOf` names it
 */
export function networksOf(network: string): CountedNetwork[] {
  const own = { name: network, share: 1 }
  const groups = /^([^:/]+):([^:/]+):([^:/]+):([^:/]+)::\/64$/.exec(network)
  if (!groups) return [own]
  const [, a, b, c, d = ''] = groups
  const site = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return [
    own,
    { name: `${a}:${b}:${c}:${site}::/56`, share: 4 },
    { name: `${a}:${b}:${c}::/48`, share: 16 },
  ]
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::')
  const first = numbers(head)
  if (tail === undefined) return first
  const last = numbers(tail)
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const numbers = (text: string) =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** The last four bytes may be written as in IPv4. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}

/**
 * What is wrong with an address, or a network in CIDR form such as 10.0.0.0/8; null if it is valid. The whole
 * internet is not allowed: any client in a trusted network can claim any address.
 */
export function networkFault(text: string): string | null {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) {
    return `${text} is neither an address nor a network such as 10.0.0.0/8`
  }
  if (bits === undefined) return null
  const bitsMax = version === 4 ? 32 : 128
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax) {
    return `${text} does not end in a number of bits from 1 to ${bitsMax}`
  }
  return Number(bits) === 0 ? `${text} is everybody` : null
}
