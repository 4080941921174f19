/** How many connections and requests one network may hold, and that no incomplete request holds one for long. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { Refused } from './envelope.ts'
import { networkOfRequest } from './rate-limits.ts'
import { hasUnreadBody } from './request-parts.ts'

/**
 * The most connections of one network that is not our proxy, and of all together: 2,000 are for calls while all streams
 * are open.
 */
export const CONNECTIONS_OF_NETWORK = 512
export const CONNECTIONS_MAX = 22_000

/**
 * The requests of one network that a process works on at a time, streams apart; and the most of a wide network, with
 * the streams that it may have: less than half of what `deploy/` gives a process. A connection of HTTP/2 to a proxy
 * carries many requests, each of which has a connection to a process.
 */
export const REQUESTS_AT_ONCE = 256
export const OF_WIDE_NETWORK = 2_000

/**
 * After a request was answered before its body was complete: how long the server reads the rest, so that the sender
 * gets the answer, and how much of it.
 */
const REST_MS = 1_000
const REST_MAX_BYTES = 256 * 1024
const REST_LOOK_MS = 50

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
  const open = concurrencyLimit({ all: inAll, network: ofNetwork }, 0)
  server.maxConnections = inAll
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    if (proxies.check(network.includes(':') ? address : network, familyOf(network))) return
    const end = open.begin({ all: '', network })
    if (isRefusal(end)) socket.destroy()
    else socket.once('close', end)
  })
}

/** Limits the requests of one network that are under way; a stream has its own limit. */
export function limitRequestsAtOnce(fastify: FastifyInstance): void {
  const underWay = concurrencyLimit({ network: REQUESTS_AT_ONCE }, 1, OF_WIDE_NETWORK)
  fastify.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.config.lastsLong) return next()
    const end = underWay.begin({ network: networkOfRequest(request) })
    if (isRefusal(end)) return next(new Refused(end))
    whenClosed(reply.raw, end)
    next()
  })
}

/** Does something once the connection of a reply is closed, or now if it is. */
export function whenClosed(raw: ServerResponse, act: () => void): void {
  if (raw.destroyed || raw.closed) act()
  else raw.once('close', act)
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
