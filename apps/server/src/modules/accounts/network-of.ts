import { isIPv4, isIPv6 } from 'node:net'

/** The address itself, or of IPv6 the /64, of which one customer has all addresses. */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:/i, '')
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return 'unknown'
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const rest = tail === undefined ? [] : tail.split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  const all = [...groups, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...rest]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
