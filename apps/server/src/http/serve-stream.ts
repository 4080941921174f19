/** Serves the streams of the contract: session, validation, events, and their end. */
import type { Stream } from '@sum28/contract/stream.ts'
import { STREAM_END, STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { refusalReply } from '#src/http/envelope.ts'
import { type EventStream, eventStream } from '#src/http/event-stream.ts'
import { languageOfRequest, readRequest, type ServeOptions } from '#src/http/serve-routes.ts'
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

/** A client that does not read its stream's last words is cut off. */
const LAST_WORDS_MS = 5_000

type Open = {
  readonly events: EventStream
  /** Of whom it is one of so many: a player's of this stream, or an address's. */
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
  options: Pick<ServeOptions, 'findCaller' | 'findStaff' | 'rateLimits'>,
): () => void {
  /** In the order in which they were opened. */
  const all = new Set<Open>()

  for (const { stream, open } of bindings) {
    fastify.route({
      method: stream.method,
      url: stream.path,
      exposeHeadRoute: false,
      config: { rateLimit: options.rateLimits.of(stream.rate) },
      handler: (request, reply) => answer({ stream, open }, request, reply),
    })
  }

  async function answer(
    { stream, open }: StreamBinding,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { lang } = request.query as { lang?: unknown }
    const read = await readRequest(stream, options, request)
    if (isRefusal(read)) return refused(read, request, reply)
    const caller = read.caller as Caller | null
    const events = eventStream()
    const leave = await open(caller as never, read.input, events.send)
    if (isRefusal(leave)) return refused(leave, request, reply)

    const owner = `${stream.path} ${caller ? `player ${caller.playerId}` : networkOf(request.ip)}`
    const token = caller && (request.headers as { token: string }).token
    const one = { events, owner, token, lang: languageOf(lang), leave }
    makeRoomFor(one, stream.openMax)
    all.add(one)
    events.body.once('close', () => {
      all.delete(one)
      leave()
    })
    // Also of a client who has gone before the first event was sent.
    reply.raw.once('close', () => events.body.destroy())
    if (reply.raw.destroyed || request.socket.destroyed) events.body.destroy()
    return reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(events.body)
  }

  /** The newest stays: the older ones of a phone that has lost its network are dead without a word. */
  function makeRoomFor({ owner }: Open, max: number): void {
    const own = [...all].filter((each) => each.owner === owner)
    for (const oldest of own.slice(0, Math.max(0, own.length - max + 1))) {
      finish(oldest, refuse('too_many_requests', { retry_after: 60 }))
    }
  }

  function finish(one: Open, refusal: Refusal): void {
    const { events, leave, lang } = one
    all.delete(one)
    leave()
    events.send(STREAM_END, JSON.stringify(refusalReply(refusal, lang).envelope))
    events.end()
    setTimeout(() => events.body.destroy(), LAST_WORDS_MS).unref()
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
    for (const { events } of all) events.comment('ping')
  }, STREAM_PING_MS)

  function stop(): void {
    clearInterval(checking)
    clearInterval(pinging)
    for (const { events } of all) events.end()
    all.clear()
  }
  fastify.addHook('preClose', async () => stop())
  return stop
}

function refused(refusal: Refusal, request: FastifyRequest, reply: FastifyReply) {
  const { http, envelope } = refusalReply(refusal, languageOfRequest(request))
  return reply.code(http).send(envelope)
}
