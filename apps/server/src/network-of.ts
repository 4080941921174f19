/** The network that an address belongs to: the one thing by which callers are counted. */
import { isIP, isIPv4, isIPv6 } from 'node:net'

/** What is no address is counted together. */
const UNKNOWN_NETWORK = 'unknown'

/**
 * An IPv4 address itself, also one that is written as IPv6 (`::ffff:192.0.2.7`); of any other IPv6
 * address the /64, of which one customer has all addresses: `2001:db8:1:2::/64`. What this function
 * has given it gives again. A port behind the address, which some proxies write, is left out. Of a
 * connection that has ended in the meantime Node knows no address any more.
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
 * What is wrong with an address, or a network in CIDR form such as 10.0.0.0/8; null where nothing is.
 * The whole of the internet is none: whoever is trusted so may call himself by any address.
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
