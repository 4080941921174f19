/** Serves the contract's streams: session, validation, events, and the end. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { STREAMS_MAX, type Stream } from '@sum28/contract/stream.ts'
import { OWN_EVENT, STREAM_END, STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type * as z from 'zod/mini'
import { concurrencyLimit } from '#src/concurrency/concurrency-limit.ts'
import { networkOf } from '#src/formats/network-of.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Caller } from './caller.ts'
import { envelopeJson, Refused, refusalAnswer } from './envelope.ts'
import { OF_WIDE_NETWORK, whenClosed } from './flood-guard.ts'
import { hook, hooksOf, type ServeOptions } from './serve-calls.ts'

/** How soon a stream ends after its session has ended. */
const SESSION_CHECK_MS = 2_500

type CallerOf<S extends Stream> = S['auth'] extends 'token' ? Caller : Caller | null

/** Starts to send a caller's events; returns the function that stops it. */
export type OpenStream<S extends Stream> = (
  caller: CallerOf<S>,
  input: z.output<S['request']>,
  send: (event: keyof S['events'] & string, json: string) => void,
) => Refusal | (() => void) | Promise<Refusal | (() => void)>

/** A stream and its opener, with erased types so that one list holds many. */
export type StreamBinding = { readonly stream: Stream; readonly open: OpenStream<Stream> }

export function bindStream<S extends Stream>(stream: S, open: OpenStream<S>): StreamBinding {
  return { stream, open: open as OpenStream<Stream> }
}

/** Of how many streams sessions are checked at once; other work has its turn between two checks. */
const SESSIONS_AT_ONCE = 500

/** The connection of a client that does not read the last event within this time is closed. */
const LAST_WORDS_MS = 5_000

/**
 * The most streams, open or opening, of one network and of all: a further one is refused, and its client polls. And
 * how long a stream may last before its client has to reconnect, so that streams of clients that disappeared silently
 * do not stay forever.
 */
export type StreamBounds = { ofNetwork: number; inAll: number; longestMs: number }

const BOUNDS: StreamBounds = { ofNetwork: 500, inAll: 20_000, longestMs: 4 * 3_600_000 }

const RETRY_SECONDS = 60

type Open = {
  /** The path of its stream. */
  readonly path: string
  readonly events: EventStream
  readonly openedAt: number
  /** The owner that it counts for: a player of this stream, or a network. */
  readonly owner: string
  /** Null if none is required. */
  readonly session: { token: string; tokenHash: Buffer } | null
  readonly lang: Language
  /** Stops sending events. */
  readonly leave: () => void
}

type OpenInSession = Open & { readonly session: NonNullable<Open['session']> }

/** @returns the function that ends all streams; closing the server ends them too */
export function serveStreams(
  fastify: FastifyInstance,
  bindings: readonly StreamBinding[],
  options: ServeOptions & {
    /** Those of some sessions that `findCaller` has to look at, as it may refuse or renew them. */
    doubtfulSessions: (tokenHashes: readonly Buffer[]) => Promise<Buffer[]>
    /** Sends the own events of a player; returns the function that ends it. */
    watchOwn: (playerId: number, send: (json: string) => void) => () => void
    metrics?: Registry
  },
  bounds = BOUNDS,
): () => void {
  const all = new Set<Open>()
  /** Of each owner, in the order of opening. */
  const streamsByOwner = new Map<string, Set<Open>>()
  /** Including streams that are being opened. */
  const opened = concurrencyLimit(
    { all: bounds.inAll, network: bounds.ofNetwork },
    RETRY_SECONDS,
    OF_WIDE_NETWORK,
  )

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
  async function takePlace({ ip }: FastifyRequest, { raw }: FastifyReply) {
    const end = opened.begin({ all: '', network: networkOf(ip) })
    if (isRefusal(end)) throw new Refused(end)
    whenClosed(raw, end)
  }
  for (const binding of bindings) {
    const { stream } = binding
    const { takeFields, ...admission } = hooksOf({ ...stream, takesToken: true }, options)
    fastify.route({
      method: stream.method,
      url: stream.path,
      exposeHeadRoute: false,
      config: { rateLimit: options.rateLimits.of(stream), lastsLong: true },
      preParsing: takePlace,
      ...admission,
      preHandler: hook(takeFields),
      handler: (request, reply) => begin(binding, request, reply),
    })
  }

  async function begin(
    { stream, open }: StreamBinding,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { lang } = request.query as { lang?: unknown }
    const { raw } = reply
    const events = eventStream(raw)
    const { input } = request.call
    const caller = request.call.caller as Caller | null
    const leaveStream = await open(caller as never, input as never, events.send)
    if (isRefusal(leaveStream)) throw new Refused(leaveStream)
    // It was given up meanwhile.
    if (reply.sent) {
      leaveStream()
      return
    }
    const leaveOwn =
      caller && options.watchOwn(caller.playerId, (json) => events.send(OWN_EVENT, json))
    const leave = () => {
      leaveStream()
      leaveOwn?.()
    }

    const owner = `${stream.path} ${caller ? `player ${caller.playerId}` : networkOf(request.ip)}`
    const { token } = request.headers as { token: string }
    const session = caller && { token, tokenHash: caller.tokenHash }
    const openedAt = performance.now()
    const { path } = stream
    const one: Open = { path, events, openedAt, owner, session, lang: languageOf(lang), leave }
    hold(one, raw, caller ? Math.min(stream.openMax, STREAMS_MAX) : stream.openMax)
    reply.hijack()
    events.begin(reply.getHeaders() as OutgoingHttpHeaders)
    if (request.socket.destroyed) events.destroy()
  }

  /** Keeps a stream until its connection closes; not where it is answered, so that the request is not kept with it. */
  function hold(one: Open, raw: ServerResponse, max: number): void {
    makeRoomFor(one, max)
    add(one)
    const closed = () => {
      remove(one)
      one.leave()
    }
    whenClosed(raw, closed)
  }

  function add(one: Open): void {
    all.add(one)
    const streams = streamsByOwner.get(one.owner) ?? new Set()
    streamsByOwner.set(one.owner, streams.add(one))
  }

  function remove(one: Open): void {
    all.delete(one)
    const streams = streamsByOwner.get(one.owner)
    streams?.delete(one)
    if (streams?.size === 0) streamsByOwner.delete(one.owner)
  }

  /** The newest stream stays: older ones of a phone that lost its network are dead without a sign of it. */
  function makeRoomFor({ owner }: Open, max: number): void {
    const streams = [...(streamsByOwner.get(owner) ?? [])]
    for (const oldest of streams.slice(0, Math.max(0, streams.length - max + 1))) {
      finish(oldest, refuse('too_many_requests', { retry_after: RETRY_SECONDS }))
    }
  }

  function finish(one: Open, refusal: Refusal): void {
    const { events, leave, lang } = one
    remove(one)
    leave()
    events.send(STREAM_END, envelopeJson(refusalAnswer(refusal, lang).answer, fastify))
    endSoon(events)
  }

  async function checkSession(one: Open, token: string): Promise<void> {
    const caller = await options.findCaller(token)
    if (isRefusal(caller) && all.has(one)) finish(one, caller)
  }

  /** Nearly all sessions are simply in use, which is read of many at once. */
  async function checkSessions(): Promise<void> {
    const signedIn = [...all].filter((one): one is OpenInSession => one.session !== null)
    for (let from = 0; from < signedIn.length; from += SESSIONS_AT_ONCE) {
      const some = signedIn.slice(from, from + SESSIONS_AT_ONCE)
      const hashes = await options.doubtfulSessions(some.map(({ session }) => session.tokenHash))
      if (hashes.length === 0) continue
      const doubtful = new Set(hashes.map((hash) => hash.toString('hex')))
      // One that could not be checked does not keep the others from it.
      await Promise.allSettled(
        some
          .filter(({ session }) => doubtful.has(session.tokenHash.toString('hex')))
          .map((one) => checkSession(one, one.session.token)),
      )
    }
  }

  let underWay = false
  const checking = setInterval(async () => {
    // A slow database gets no second check before the first has ended.
    if (underWay) return
    underWay = true
    // A database that is down ends no session.
    await checkSessions().catch(() => {})
    underWay = false
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
    streamsByOwner.clear()
  }
  fastify.addHook('preClose', async () => stop())
  return stop
}

function endSoon(events: EventStream): void {
  events.end()
  setTimeout(() => events.destroy(), LAST_WORDS_MS).unref()
}

/** How much may wait for a slow client; beyond that the connection is closed, and the client resumes where it was. */
const WAITING_MAX_BYTES = 256 * 1024

type EventStream = {
  /** Sends the head of the reply, and the events that were sent before it. */
  begin(headers: OutgoingHttpHeaders): void
  /** @param json one line */
  send(event: string, json: string): void
  /** A line that clients ignore; it shows that the stream is alive. */
  comment(text: string): void
  /** Ends it after everything sent has been read. */
  end(): void
  /** Closes the connection. */
  destroy(): void
}

const OPENED = Buffer.from(': open\n\n')

let latest = { event: '', json: '', lines: OPENED }

/** An event's lines. The same event usually goes to many streams, one after the other. */
function encoded(event: string, json: string): Buffer {
  if (latest.event !== event || latest.json !== json) {
    latest = { event, json, lines: Buffer.from(`event: ${event}\ndata: ${json}\n\n`) }
  }
  return latest.lines
}

/**
 * Server-sent events, written directly to the reply's connection: a readable between them, which the framework would
 * send, takes 6 kB more memory for each open stream.
 */
function eventStream(raw: ServerResponse): EventStream {
  /** What is sent before the head; null after it. The first line sends the head out. */
  let early: Buffer[] | null = [OPENED]
  let ended = false
  // Its connection may break at any time: the reply's close says so.
  raw.on('error', () => {})

  function push(lines: Buffer): void {
    if (ended || raw.destroyed) return
    if (early) {
      early.push(lines)
      return
    }
    raw.write(lines)
    if (raw.writableLength > WAITING_MAX_BYTES) raw.destroy()
  }

  return {
    begin(headers) {
      const sent = Buffer.concat(early ?? [])
      early = null
      // The end of the connection is the end of the reply: in chunks each event would be four writes.
      raw.useChunkedEncodingByDefault = false
      raw.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      push(sent)
    },
    send: (event, json) => push(encoded(event, json)),
    comment: (text) => push(Buffer.from(`: ${text}\n\n`)),
    end() {
      if (ended || raw.destroyed) return
      ended = true
      raw.end()
    },
    destroy: () => raw.destroy(),
  }
}
