/** Sends a signed POST to an address that the operator has named, and to no other place. */
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What no receiver of the internet has: this machine, networks of the house, and what is not routed (RFC 6890). */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
  ] as const),
  ...([
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
  ] as const),
  ...([
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
/** Of IPv6 only global unicast counts, without what carries an IPv4 address. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
const TUNNELS = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  TUNNELS.addSubnet(network, bits, 'ipv6')
}

/** Whether an address is one of the internet. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !PRIVATE.check(address, 'ipv4')
  return family === 6 && GLOBAL.check(address, 'ipv6') && !TUNNELS.check(address, 'ipv6')
}

/**
 * What is wrong with the address of a receiver, as a key of a fault's text; null: nothing. A name is looked up only when
 * something is sent: what it leads to may change at any time.
 *
 * @param privateToo whether plain HTTP and private networks are allowed, as in the demo
 */
export function webhookFault(text: string, privateToo: boolean): 'webhook_url' | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return 'webhook_url'
  if (privateToo) return null
  const host = hostOf(url)
  const isPrivate =
    isIP(host) === 0 ? /^localhost\.?$|\.localhost\.?$/i.test(host) : !isPublic(host)
  return isPrivate || url.protocol !== 'https:' ? 'webhook_url' : null
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.+)\]$/, '$1')
}

/** Resolves a name, and refuses it if any of its addresses is private: what was checked is connected to. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    if (error) return done(error, '')
    if (!first || !found.every(({ address }) => isPublic(address))) {
      return done(new Error('it leads to a private network'), '')
    }
    if (options.all) done(null, found)
    else done(null, first.address, first.family)
  })
}

/** How long a receiver may take for all of it. */
const ANSWER_MS = 10_000

/** The signature of a body at an instant: a receiver that refuses old instants cannot be sent one again by a stranger. */
export function webhookSignature(secret: string, body: string, unixSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${mac}`
}

type Sent = 'taken' | 'gone' | { failure: string }

/**
 * Sends a body once. A redirect is a failure: it could lead to another place. Nothing of the answer but its status is
 * read.
 *
 * @returns `taken` for any 2xx, `gone` for 410, else why not, without anything that the receiver wrote
 */
export function sendWebhook({
  url,
  secret,
  body,
  now,
  privateToo,
  signal,
  answerMs = ANSWER_MS,
}: {
  url: string
  secret: string
  /** JSON. */
  body: string
  /** Milliseconds since 1970. */
  now: number
  privateToo: boolean
  signal: AbortSignal
  answerMs?: number
}): Promise<Sent> {
  // The setting may have changed since it was added.
  if (webhookFault(url, privateToo)) return Promise.resolve({ failure: 'it is no public address' })
  const send = new URL(url).protocol === 'https:' ? tlsRequest : plainRequest
  return new Promise<Sent>((resolve) => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(answerMs)])
    const request = send(
      url,
      {
        ...{ method: 'POST', agent: false, signal: ended },
        ...(privateToo ? {} : { lookup: publicLookup }),
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'Sum28-Signature': webhookSignature(secret, body, Math.floor(now / 1000)),
        },
      },
      ({ statusCode = 0 }) => {
        const taken = statusCode >= 200 && statusCode < 300
        const failure = { failure: `it answered ${statusCode}` }
        resolve(taken ? 'taken' : statusCode === 410 ? 'gone' : failure)
        request.destroy()
      },
    )
    request.on('error', (error: NodeJS.ErrnoException) => {
      const late = ended.aborted ? 'it did not answer in time' : null
      resolve({ failure: late ?? error.code ?? 'it leads to a private network' })
    })
    request.end(body)
  })
}
