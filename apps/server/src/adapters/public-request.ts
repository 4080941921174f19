/** Requests to addresses that strangers name: they reach public machines alone. */
import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** Networks that are not of the public internet (IANA's registries of special-purpose addresses). */
const NOT_PUBLIC = new BlockList()
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]) {
  const [address = '', bits] = network.split('/')
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4')
}
/** Of IPv6, what is not given out to anybody, and what leads to IPv4 addresses or documents. */
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
  ] as const),
  ...([
    ['2002::', 16],
    ['3fff::', 20],
  ] as const),
] as const) {
  NOT_PUBLIC.addSubnet(address, bits, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !NOT_PUBLIC.check(address, 'ipv4')
  return PUBLIC_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** Whether an address is https and, if it is not a name, public. A name is looked up only when something is sent. */
export function mayBePublic({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isIP(host) === 0 ? /^(.*\.)?localhost\.?$/i.test(host) : !isPublicAddress(host)
  return protocol === 'https:' && !isPrivate
}

/** A request was not sent, because its address is not public. */
export class NotPublic extends Error {}

/** Resolves a name for the very connection that is made: another answer a moment later changes nothing. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
    if (error) return done(error, '', 4)
    if (found.length === 0 || found.some(({ address }) => !isPublicAddress(address))) {
      return done(new NotPublic(`${host} is not public`), '', 4)
    }
    const [first] = found
    if (options.all) done(null, found)
    else done(null, first?.address ?? '', first?.family ?? 4)
  })
}

/**
 * Posts bytes to an https address, and reads the answer's status alone. Redirects are not followed.
 *
 * @param options `anywhere`: for tests, also to machines that are not public, and without TLS; `withinMs`: the time for
 *   all of it
 * @throws NotPublic, or the error of the connection, or of the time-out
 */
export function postPublicly(
  url: URL,
  {
    headers,
    body,
    withinMs,
    signal,
    anywhere = false,
  }: {
    headers: Record<string, string | number>
    body: Buffer
    withinMs: number
    /** Ends the request sooner. */
    signal?: AbortSignal
    anywhere?: boolean
  },
): Promise<number> {
  const late = AbortSignal.timeout(withinMs)
  return new Promise((resolve, reject) => {
    if (!anywhere && !mayBePublic(url)) return reject(new NotPublic(`${url.host} is not public`))
    const options = {
      ...{ method: 'POST', headers, agent: false },
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(anywhere ? {} : { lookup: publicLookup }),
    }
    const request = url.protocol === 'https:' ? requestSecure : requestPlain
    const sent: ClientRequest = request(url, options, (answer) => {
      resolve(answer.statusCode ?? 0)
      // The body is of no use, and may have no end.
      answer.destroy()
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
