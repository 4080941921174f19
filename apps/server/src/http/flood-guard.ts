/** How many connections one network may hold, and that no incomplete request holds one for long. */
import type { IncomingMessage, Server } from 'node:http'
import { BlockList } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { hasUnreadBody } from './request-parts.ts'

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
