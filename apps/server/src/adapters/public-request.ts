/** Requests to addresses that strangers name: they reach public machines alone. */
import { Resolver } from 'node:dns/promises'
import { type ClientRequest, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** Networks that are not of the public internet (IANA's registries of special-purpose addresses). */
const NOT_PUBLIC = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/')
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4')
}
/** Of IPv6, what is not given out to anybody, and what leads to IPv4 addresses or documents. */
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
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

/** How long a name server is waited for. */
const NAME_MS = 2_000

/**
 * Resolves a name for the very connection that is made: another answer a moment later changes nothing. Not by the
 * system's own function, whose few threads strangers' silent name servers would take from all who look up a name.
 *
 * @param nameServer in tests, the address and port of another than the system's
 */
export function publicLookup(nameServer?: string): LookupFunction {
  return (host, options, done) => {
    const names = new Resolver({ timeout: NAME_MS, tries: 1 })
    if (nameServer) names.setServers([nameServer])
    addressesOf(names, host).then(
      (found) => {
        const [first] = found
        if (!first || found.some(({ address }) => !isPublicAddress(address))) {
          return done(new NotPublic(`${host} is not public`), '', 4)
        }
        if (options.all) done(null, found)
        else done(null, first.address, first.family)
      },
      (error) => done(error, '', 4),
    )
  }
}

type Found = { address: string; family: 4 | 6 }

/** @throws the name server's error if it has no address of either kind */
async function addressesOf(names: Resolver, host: string): Promise<Found[]> {
  const [four, six] = await Promise.allSettled([names.resolve4(host), names.resolve6(host)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const inFamily = (family: 4 | 6, answer: PromiseSettledResult<string[]>): Found[] =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...inFamily(4, four), ...inFamily(6, six)]
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
      method: 'POST',
      headers,
      agent: false,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(anywhere ? {} : { lookup: publicLookup() }),
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
