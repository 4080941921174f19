/**
 * The first check of every request: how often one network may call, how many connections it may hold, and that no
 * incomplete request holds one for long. For a request that is refused here, no route, no session and no body is
 * read.
 */
import type { IncomingMessage, Server } from 'node:http'
import { BlockList } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { Refused } from '#src/http/envelope.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import { hasUnreadBody, pathOf } from './request-parts.ts'

/**
 * Requests a minute from one network, of all kinds together. A mobile network may have hundreds of players behind one
 * address; each call also has its own limit after this one.
 */
export const REQUESTS_A_MINUTE = 3_000

const MINUTE_MS = 60_000

/**
 * The most connections of one network that is not our proxy, and of all together: 2,000 are for calls while all streams
 * are open.
 */
export const CONNECTIONS_OF_NETWORK = 512
export const CONNECTIONS_MAX = 22_000

/**
 * After a request was answered before its body was complete: how long the server reads the rest, so that the sender
 * gets the answer, and how much of it.
 */
const REST_MS = 1_000
const REST_MAX_BYTES = 256 * 1024
const REST_LOOK_MS = 50

/** Requests of this server to itself in the demo: its own beacon and chain. */
const OWN_CALLS = /^\/(beacon|tron)\//

/** Refuses the requests of a network that calls too often, before any other work. */
export function limitRequests(fastify: FastifyInstance, max: number): void {
  const count = fastify.createRateLimit({
    max,
    // A network that continues after this many refusals gets no more answers.
    ban: max,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => networkOf(request.ip),
  })
  fastify.addHook('onRequest', async (request, reply) => {
    if (isOwnCall(request)) return
    const counted = await count(request)
    if (counted.isAllowed || !counted.isExceeded) return
    if (counted.isBanned && isDirect(request)) {
      reply.hijack()
      request.raw.destroy()
      return
    }
    throw new Refused(refuse('too_many_requests', { retry_after: counted.ttlInSeconds }))
  })
}

/** Closes the connection of a client that continues to send a body after the answer. */
export function endUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, _reply, next) => {
    const { raw } = request
    if (!raw.complete && hasUnreadBody(request)) endUnreadBody(raw)
    next()
  })
}

function endUnreadBody(raw: IncomingMessage): void {
  const { socket } = raw
  const answeredAt = performance.now()
  const readBefore = socket.bytesRead
  const looking = setInterval(() => {
    const late = performance.now() - answeredAt > REST_MS
    const long = socket.bytesRead - readBefore > REST_MAX_BYTES
    if (late || long) raw.destroy()
    if (raw.complete || raw.destroyed) clearInterval(looking)
  }, REST_LOOK_MS).unref()
}

/** Limits the connections of one network and of all; a proxy of ours carries those of many. */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  { ofNetwork = CONNECTIONS_OF_NETWORK, inAll = CONNECTIONS_MAX } = {},
): void {
  const proxies = blockListOf(trustedProxies)
  const open = concurrencyLimit({ network: ofNetwork }, 0)
  server.maxConnections = inAll
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    if (proxies.check(network.includes(':') ? address : network, familyOf(network))) return
    const end = open.begin({ network })
    if (isRefusal(end)) socket.destroy()
    else socket.once('close', end)
  })
}

function isOwnCall(request: FastifyRequest): boolean {
  const { socket, headers } = request
  return (
    OWN_CALLS.test(pathOf(request)) &&
    socket.remoteAddress === socket.localAddress &&
    headers['x-forwarded-for'] === undefined
  )
}

/** A connection of our proxy is never closed: the proxy would take the server for broken. */
function isDirect({ ip, socket }: FastifyRequest): boolean {
  return networkOf(socket.remoteAddress ?? '') === networkOf(ip)
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
