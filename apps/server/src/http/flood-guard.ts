/**
 * What stands before everything else: how often one network may call at all, how many connections it
 * may hold, and that no half of a request holds one for long. For what is refused here no call is
 * looked up, no session is sought and no body is read.
 */
import type { IncomingMessage, Server } from 'node:http'
import { BlockList } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasUnreadBody, languageOfRequest } from '#src/http/bodies.ts'
import { refusalReply } from '#src/http/envelope.ts'
import { networkOf } from '#src/network-of.ts'
import { refuse } from '#src/refusal.ts'

/**
 * Requests a minute from one network, of all kinds together. A phone company's exchange may have
 * hundreds of players behind one address: each call's own limit stands behind this one.
 */
export const REQUESTS_A_MINUTE = 3_000

const MINUTE_MS = 60_000

/** Connections of one network that is no proxy of ours, and of all. */
const CONNECTIONS_OF_NETWORK = 512
const CONNECTIONS_MAX = 10_000

/** Connections for calls that are left while all streams are open. */
const CONNECTIONS_BESIDE_STREAMS = 2_000

/** @returns how many connections a process takes that has so many streams */
export function connectionsMax(streamsMax: number): number {
  return Math.max(CONNECTIONS_MAX, streamsMax + CONNECTIONS_BESIDE_STREAMS)
}

/**
 * The rest of a request that was answered before it was there: how long it is waited for, so that its
 * sender reads the answer, and how much of it is taken.
 */
const REST_MS = 1_000
const REST_MAX_BYTES = 256 * 1024
const REST_LOOK_MS = 50

/** What this server asks of itself in the demo: its own beacon and chain. */
const OWN_CALLS = /^\/(beacon|tron)\//

/** Refuses the requests of a network that calls too often, before anything is done for them. */
export function limitRequests(fastify: FastifyInstance, max: number): void {
  const count = fastify.createRateLimit({
    max,
    // A network that goes on after as many refusals gets no answer.
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
    const seconds = counted.ttlInSeconds
    const refusal = refuse('too_many_requests', { retry_after: seconds })
    const { http, envelope } = refusalReply(refusal, languageOfRequest(request))
    return reply.code(http).header('Retry-After', seconds).send(envelope)
  })
}

/** Closes the connection of a client that goes on sending a body after the answer. */
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

/** Bounds the connections of one network and of all; a proxy of ours carries those of many. */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  { ofNetwork = CONNECTIONS_OF_NETWORK, inAll = CONNECTIONS_MAX } = {},
): void {
  const proxies = blockListOf(trustedProxies)
  const open = new Map<string, number>()
  server.maxConnections = inAll
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    if (proxies.check(network.includes(':') ? address : network, familyOf(network))) return
    const others = open.get(network) ?? 0
    if (others >= ofNetwork) {
      socket.destroy()
      return
    }
    open.set(network, others + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

function isOwnCall({ url, socket, headers }: FastifyRequest): boolean {
  return (
    OWN_CALLS.test(url) &&
    socket.remoteAddress === socket.localAddress &&
    headers['x-forwarded-for'] === undefined
  )
}

/** A proxy of ours is never hung up on: it would take us for broken. */
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
