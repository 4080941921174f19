/** Serves the streams of the contract: session, validation, events, and their end. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { Stream } from '@sum28/contract/stream.ts'
import { STREAM_END, STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type * as z from 'zod/mini'
import { refusalReply, timed } from '#src/http/envelope.ts'
import { type EventStream, eventStream } from '#src/http/event-stream.ts'
import { places } from '#src/http/places.ts'
import {
  type Finding,
  readRequest,
  type ServeOptions,
  sendRefusal,
} from '#src/http/serve-routes.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { networkOf } from '#src/network-of.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'

/** How soon a stream ends after its session has. */
const SESSION_CHECK_MS = 2_500

type CallerOf<S extends Stream> = S['auth'] extends 'token' ? Caller : null

/** Begins to tell a caller what he asked for; gives the function that ends it. */
export type OpenStream<S extends Stream> = (
  caller: CallerOf<S>,
  asked: z.output<S['request']>,
  tell: (event: keyof S['events'] & string, json: string) => void,
) => Refusal | (() => void) | Promise<Refusal | (() => void)>

/** A stream and what opens it, with their types forgotten so that many fit in one list. */
export type StreamBinding = { readonly stream: Stream; readonly open: OpenStream<Stream> }

export function bindStream<S extends Stream>(stream: S, open: OpenStream<S>): StreamBinding {
  return { stream, open: open as OpenStream<Stream> }
}

/** The connection of a client that does not read the last event within this time is closed. */
const LAST_WORDS_MS = 5_000

/**
 * Streams that are open or being opened, of one network and of all: one more is refused, and its
 * client polls. And how long one may go on before its client has to come again, so that those of
 * clients which died without a word are not kept for ever.
 */
export type StreamBounds = { ofNetwork: number; inAll: number; longestMs: number }

/** @param inAll streams of all networks together */
export function streamBounds(inAll: number): StreamBounds {
  return { ofNetwork: 500, inAll, longestMs: 4 * 3_600_000 }
}

const RETRY_SECONDS = 60

type Open = {
  /** Its stream's path. */
  readonly path: string
  readonly events: EventStream
  readonly openedAt: number
  /** Of whom it is one of so many: a player's of this stream, or a network's. */
  readonly owner: string
  /** Null where none is asked for. */
  readonly token: string | null
  readonly lang: Language
  /** Ends what is told. */
  readonly leave: () => void
}

/** @returns the function that ends all streams; the server's closing ends them too */
export function serveStreams(
  fastify: FastifyInstance,
  bindings: readonly StreamBinding[],
  options: Finding & Pick<ServeOptions, 'rateLimits'> & { metrics?: Registry },
  bounds: StreamBounds,
): () => void {
  const all = new Set<Open>()
  /** Of each owner, in the order in which they were opened. */
  const owned = new Map<string, Set<Open>>()
  /** Of those that are being opened, too. */
  const opened = places({ all: bounds.inAll, network: bounds.ofNetwork }, RETRY_SECONDS)

  if (options.metrics) {
    new Gauge({
      name: 'sum28_streams_open',
      help: 'Streams that are open, by path.',
      labelNames: ['path'],
      registers: [options.metrics],
      collect() {
        this.reset()
        for (const { stream } of bindings) this.set({ path: stream.path }, 0)
        for (const { path } of all) this.inc({ path })
      },
    })
  }
  for (const { stream, open } of bindings) {
    fastify.route({
      method: stream.method,
      url: stream.path,
      exposeHeadRoute: false,
      config: { rateLimit: options.rateLimits.of(stream), traced: false },
      handler: async (request, reply) => {
        const place = opened.take({ all: '', network: networkOf(request.ip) })
        if (isRefusal(place)) return sendRefusal(place, request, reply)
        reply.raw.once('close', place)
        return answer({ stream, open }, request, reply)
      },
    })
  }

  async function answer(
    { stream, open }: StreamBinding,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { lang } = request.query as { lang?: unknown }
    const read = await readRequest(stream, options, request)
    if (isRefusal(read)) return sendRefusal(read, request, reply)
    const caller = read.caller as Caller | null
    const { raw } = reply
    const events = eventStream(raw)
    const leave = await open(caller as never, read.input, events.send)
    if (isRefusal(leave)) return sendRefusal(leave, request, reply)

    const owner = `${stream.path} ${caller ? `player ${caller.playerId}` : networkOf(request.ip)}`
    const token = caller && (request.headers as { token: string }).token
    const openedAt = performance.now()
    const one = { path: stream.path, events, openedAt, owner, token, lang: languageOf(lang), leave }
    makeRoomFor(one, stream.openMax)
    add(one)
    const closed = () => {
      remove(one)
      leave()
    }
    raw.once('close', closed)
    // Where the client has gone before the first event was sent, nothing closes any more.
    if (raw.destroyed) closed()
    reply.hijack()
    events.begin(reply.getHeaders() as OutgoingHttpHeaders)
    if (request.socket.destroyed) events.destroy()
    return reply
  }

  function add(one: Open): void {
    all.add(one)
    const own = owned.get(one.owner) ?? new Set()
    owned.set(one.owner, own.add(one))
  }

  function remove(one: Open): void {
    all.delete(one)
    const own = owned.get(one.owner)
    own?.delete(one)
    if (own?.size === 0) owned.delete(one.owner)
  }

  /** The newest stays: the older ones of a phone that has lost its network are dead without a word. */
  function makeRoomFor({ owner }: Open, max: number): void {
    const own = [...(owned.get(owner) ?? [])]
    for (const oldest of own.slice(0, Math.max(0, own.length - max + 1))) {
      finish(oldest, refuse('too_many_requests', { retry_after: RETRY_SECONDS }))
    }
  }

  function finish(one: Open, refusal: Refusal): void {
    const { events, leave, lang } = one
    remove(one)
    leave()
    events.send(STREAM_END, JSON.stringify(timed(refusalReply(refusal, lang).envelope, fastify)))
    endSoon(events)
  }

  async function checkSession(one: Open): Promise<void> {
    if (one.token === null) return
    const found = await options.findCaller(one.token)
    if (isRefusal(found) && all.has(one)) finish(one, found)
  }

  const checking = setInterval(() => {
    // A database that is away ends no session.
    for (const one of all) void checkSession(one).catch(() => {})
  }, SESSION_CHECK_MS)
  const pinging = setInterval(() => {
    const tooOld = performance.now() - bounds.longestMs
    for (const { events, openedAt } of all) {
      if (openedAt > tooOld) events.comment('ping')
      else endSoon(events)
    }
  }, STREAM_PING_MS)

  function stop(): void {
    clearInterval(checking)
    clearInterval(pinging)
    for (const { events } of all) events.end()
    all.clear()
    owned.clear()
  }
  fastify.addHook('preClose', async () => stop())
  return stop
}

function endSoon(events: EventStream): void {
  events.end()
  setTimeout(() => events.destroy(), LAST_WORDS_MS).unref()
}
