/**
 * A mock server that is made from the contract: it replaces `fetch`, below the real client.
 *
 * - It knows every route, download and stream of the contract, and nothing else.
 * - It reads each request by the schema of its route, as the server does, and refuses an invalid one.
 *   A field that the schema does not have is a fault too.
 * - It answers with the smallest value that the reply's schema accepts, or with the answer of a test.
 *   That answer is checked by the same schema, so that no test can differ from the contract.
 *
 * Faults are kept in {@link ContractMock.faults}; `show-app.tsx` fails a test that has any.
 */
import { ALL_DOWNLOADS, ALL_ROUTES, ALL_STREAMS } from '@sum28/contract/all-routes.ts'
import { CODES, type Reason } from '@sum28/contract/envelope.ts'
import { readFields } from '@sum28/contract/read-fields.ts'
import type { ParsedOf, Route } from '@sum28/contract/route.ts'
import type { Stream } from '@sum28/contract/stream.ts'
import { STREAM_PING_MS } from '@sum28/contract/stream-rules.ts'
import * as z from 'zod/mini'
import { sampleOf } from '#src/testing/sample-of.ts'

/** The fields that the client adds to every request. */
const COMMON_FIELDS = ['host', 'lang']

type Reply<R extends Route> = z.input<R['reply']>

/** A received request: its fields after reading, its headers, and the language that it names. */
export type ReceivedRequest<R extends Pick<Route, 'request'>> = {
  readonly input: ParsedOf<R>
  readonly headers: Headers
  readonly lang: unknown
}

type Refused = {
  reason: Reason
  msg: string
  code?: number
  /** Data beside the reason: `fields`, `retry_after`, and others. */
  data?: Record<string, unknown>
}

export type OpenStream<S extends Stream> = {
  /** Sends one event, whose data is read by its schema. */
  send: <Name extends keyof S['events'] & string>(
    name: Name,
    data: z.input<S['events'][Name]>,
  ) => void
}

export type ContractMock = {
  /** Replaces the browser's own. */
  readonly fetch: typeof fetch
  /** Requests of the app, and answers of a test, that are not valid by the contract. */
  readonly faults: string[]
  /** Answers a route from now on. A function is called for each request. */
  answer: <R extends Route>(
    route: R,
    reply: Reply<R> | ((request: ReceivedRequest<R>) => Reply<R>),
  ) => void
  /** Refuses a route or stream from now on, as the server would; the code is 0 by default. */
  refuse: (route: Pick<Route, 'path'>, refused: Refused) => void
  /** Lets requests of a route or stream fail, as without a network. */
  cutOff: (route: Pick<Route, 'path'>) => void
  /** Lets all requests fail. */
  cutOffAll: () => void
  /** Holds the answers of a route; returns a function that releases them. */
  hold: (route: Route) => () => void
  /** The requests of a route, in order. */
  requestsOf: <R extends Route>(route: R) => ReceivedRequest<R>[]
  /** What was sent with each of them, and its idempotency key. */
  inputsOf: <R extends Route>(route: R) => ParsedOf<R>[]
  keysOf: (route: Route) => (string | null)[]
  /** Gives no further answers: those under way would reach the next test. */
  end: () => void
  /** Lets the clock of the server, which each reply names, be so far ahead of the browser's. */
  setClockAhead: (ms: number) => void
  /** Called when a stream is opened; without it the stream is open and sends nothing but its pings. */
  onOpen: <S extends Stream>(stream: S, handler: (opened: OpenStream<S>) => void) => void
}

type Behaviour =
  | { kind: 'answers'; reply: (request: ReceivedRequest<Route>) => unknown }
  | { kind: 'refuses'; refused: Refused }
  | { kind: 'cut-off' }

/** @param routes the calls that it answers; those of the app by default */
export function mockContract(routes: readonly Route[] = ALL_ROUTES): ContractMock {
  const behaviours = new Map<string, Behaviour>()
  const received = new Map<string, ReceivedRequest<Route>[]>()
  const held = new Map<string, Promise<void>>()
  const openHandlers = new Map<string, (opened: OpenStream<Stream>) => void>()
  const faults: string[] = []
  let away = false
  let ended = false
  let clockAheadMs = 0

  async function answerTo(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const path = pathname.toLowerCase()
    const isIt = (each: { path: string; method: string }) =>
      each.path.toLowerCase() === path && each.method === request.method
    const stream = ALL_STREAMS.find(isIt)
    const route = routes.find(isIt)
    if (away) throw new TypeError('nothing answers')
    if (stream) return openStream(stream, request)
    if (route) return answerRoute(route, request)
    // Each app fetches its own page to detect a newer build.
    if (pathname === '/' || pathname === '/console/') return new Response('<!doctype html>')
    const isDownload = ALL_DOWNLOADS.some(isIt)
    faults.push(`${request.method} ${pathname} is ${isDownload ? 'not answered here' : 'no call'}`)
    return refusal({ reason: 'not_found', msg: 'Not found', code: CODES.notFound })
  }

  async function answerRoute(route: Route, request: Request): Promise<Response> {
    const behaviour = behaviours.get(route.path)
    const input = await read(route, request)
    if (!input) return refusal({ reason: 'invalid_input', msg: 'Invalid input', code: 400 })
    received.set(route.path, [...(received.get(route.path) ?? []), input])
    await waitWhileHeld(route, request.signal)
    if (behaviour?.kind === 'cut-off') throw new TypeError('nothing answers')
    if (route.auth !== 'none' && !request.headers.get('Token')) {
      return refusal({ reason: 'token_missing', msg: 'Please log in', code: CODES.tokenMissing })
    }
    if (behaviour?.kind === 'refuses') return refusal(behaviour.refused)
    const reply = behaviour ? behaviour.reply(input) : sampleOf(route.reply)
    const parsed = z.safeParse(route.reply, reply)
    if (parsed.success) {
      return envelope({ code: CODES.success, msg: 'ok', data: parsed.data })
    }
    faults.push(`${route.path} was given a reply that it cannot have: ${wordsOf(parsed.error)}`)
    return refusal({ reason: 'fault', msg: 'Fault', code: CODES.fault })
  }

  async function read(route: Pick<Route, 'path' | 'request' | 'file'>, request: Request) {
    const carried = await fieldsOf(request)
    const unknown = Object.keys(carried).filter(
      (name) =>
        ![...COMMON_FIELDS, route.file].includes(name) && !(name in route.request.def.shape),
    )
    if (unknown.length > 0) faults.push(`${route.path} has no field ${unknown.join(', ')}`)
    const fields = readFields(route.request, carried)
    if (fields.ok) {
      const { headers } = request
      return { input: fields.input, headers, lang: carried.lang } as ReceivedRequest<Route>
    }
    faults.push(`${route.path} got an invalid request: ${JSON.stringify(fields.faults)}`)
    return null
  }

  async function waitWhileHeld({ path }: Route, signal: AbortSignal): Promise<void> {
    const givenUp = new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    })
    await Promise.race([held.get(path), givenUp])
  }

  async function openStream(stream: Stream, request: Request): Promise<Response> {
    if (!(await read(stream, request))) {
      return refusal({ reason: 'invalid_input', msg: 'Invalid input', code: 400 })
    }
    const behaviour = behaviours.get(stream.path)
    if (behaviour?.kind === 'cut-off') throw new TypeError('nothing answers')
    if (behaviour?.kind === 'refuses') return refusal(behaviour.refused)
    const encoder = new TextEncoder()
    let pinging: ReturnType<typeof setInterval> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const ping = encoder.encode(': ping\n\n')
        pinging = setInterval(() => controller.enqueue(ping), STREAM_PING_MS)
        const opened: OpenStream<Stream> = {
          send(name, data) {
            const schema = stream.events[name] as z.core.$ZodType
            const event = `event: ${name}\ndata: ${JSON.stringify(z.parse(schema, data))}\n\n`
            controller.enqueue(encoder.encode(event))
          },
        }
        openHandlers.get(stream.path)?.(opened)
        request.signal.addEventListener('abort', () => {
          clearInterval(pinging)
          controller.error(request.signal.reason)
        })
      },
      cancel: () => clearInterval(pinging),
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  function refusal({ reason, msg, code = CODES.refused, data }: Refused): Response {
    return envelope({ code, msg, data: { reason, ...data } })
  }

  function envelope(content: { code: number; msg: string; data: unknown }): Response {
    const time = String(Math.floor((Date.now() + clockAheadMs) / 1_000))
    return Response.json({ ...content, time })
  }

  function requestsOf<R extends Route>(route: R): ReceivedRequest<R>[] {
    return (received.get(route.path) ?? []) as ReceivedRequest<R>[]
  }

  return {
    faults,
    fetch: (input, init) => {
      const answer = answerTo(requestOf(input, init))
      return new Promise((resolve, reject) => {
        answer.then(
          (response) => !ended && resolve(response),
          (error) => !ended && reject(error),
        )
      })
    },
    end: () => {
      ended = true
    },
    answer(route, reply) {
      const make = typeof reply === 'function' ? reply : () => reply
      behaviours.set(route.path, {
        kind: 'answers',
        reply: make as (request: ReceivedRequest<Route>) => unknown,
      })
    },
    refuse: (route, refused) => behaviours.set(route.path, { kind: 'refuses', refused }),
    cutOff: (route) => behaviours.set(route.path, { kind: 'cut-off' }),
    cutOffAll: () => {
      away = true
    },
    hold(route) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(route.path, promise)
      return resolve
    },
    setClockAhead(ms) {
      clockAheadMs = ms
    },
    requestsOf,
    inputsOf: (route) => requestsOf(route).map(({ input }) => input),
    keysOf: (route) => requestsOf(route).map(({ headers }) => headers.get('Idempotency-Key')),
    onOpen(stream, handler) {
      openHandlers.set(stream.path, handler as (opened: OpenStream<Stream>) => void)
    },
  }
}

/** Resolves a path of the app to an address, as a page does. */
function requestOf(input: Parameters<typeof fetch>[0], init?: RequestInit): Request {
  if (input instanceof Request) return new Request(input, init)
  return new Request(new URL(input, 'http://app.example'), init)
}

/** The fields of a query or of a JSON body. */
async function fieldsOf(request: Request): Promise<Record<string, unknown>> {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  if (request.method === 'GET') return query
  const isForm = request.headers.get('Content-Type')?.startsWith('multipart/form-data')
  if (isForm) return { ...query, ...Object.fromEntries(await request.formData()) }
  return { ...query, ...((await request.json()) as Record<string, unknown>) }
}

function wordsOf(error: z.core.$ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
