/**
 * The typed client of the player API. Every client follows these rules: a try may take 7 s; a try
 * that timed out, here or by the server's own word, is repeated after 2 s, up to 7 tries in all,
 * with one idempotency key for all tries of one action. An action is also repeated while there is no
 * server or no database, and while there are too many requests if an earlier try may have done it;
 * after any other answer, even a refusal, comes no other try.
 */
import { anySignal } from './any-signal.ts'
import { CODES, type Envelope, type RefusalData } from './envelope.ts'
import { changesSomething, type ReplyOf, type RequestOf, type Route } from './route.ts'

export const TRY_TIMEOUT_MS = 7_000
/** The time limit of a call with a file: the largest takes this long on a slow line, and a retry would send it again. */
export const FILE_TRY_TIMEOUT_MS = 60_000
const RETRY_DELAY_MS = 2_000
const TRIES_MAX = 7
/** How long a client goes on trying, at most. */
export const TRIES_FOR_MS = TRIES_MAX * TRY_TIMEOUT_MS + (TRIES_MAX - 1) * RETRY_DELAY_MS

export type ClientOptions = {
  /** The prefix of all paths, without a slash at the end; empty for the page's own origin. */
  base: () => string
  /** The session's token, or null without a session. */
  token: () => string | null
  /** One of the seven languages, as stored. */
  lang: () => string
  /** Sent as `host`: the page's host name. */
  host: string
  fetch?: typeof fetch
  /** Called when a try is sent; what it returns is called with the `time` of the reply, Unix seconds as a string. */
  listenToClock?: () => (time: string) => void
  /** Makes the signal that ends a try after so many milliseconds; replaced in tests. */
  timeOutAfter?: (ms: number) => AbortSignal
  /** Pauses between tries; replaced in tests. */
  wait?: (ms: number) => Promise<void>
}

export type CallOptions = {
  /**
   * For calls that change something: one key for each action, made by {@link newIdempotencyKey}. Without it each call has
   * a key of its own, the same for all its tries.
   */
  idempotencyKey?: string
  /** For calls that take a file: sent as the form part that the route names. */
  file?: Blob
  signal?: AbortSignal
  /** The browser sends a try to its end also if the page is left; for bodies of at most 64 KiB. */
  keepalive?: boolean
}

/** Calls that begin a session do not send the token of an older one. */
const WITHOUT_TOKEN: readonly string[] = ['/api/user/login', '/api/user/register']

/** The server answered with a refusal. */
export class Refusal extends Error {
  readonly code: number
  readonly data: RefusalData
  constructor(envelope: Envelope<RefusalData>) {
    super(envelope.msg)
    this.name = 'Refusal'
    this.code = envelope.code
    this.data = isObject(envelope.data) ? envelope.data : { reason: 'fault' }
  }
}

/** No answer came: the network is down, or every try timed out. */
export class Unreachable extends Error {
  readonly timedOut: boolean
  /** A balancer answered that no server is there now. */
  readonly isAway: boolean
  constructor(options: { timedOut: boolean; isAway?: boolean; cause?: unknown }) {
    super(options.timedOut ? 'the server did not answer in time' : 'the server cannot be reached', {
      cause: options.cause,
    })
    this.name = 'Unreachable'
    this.timedOut = options.timedOut
    this.isAway = options.isAway ?? false
  }
}

export type Client = <R extends Route>(
  route: R,
  request: RequestOf<R>,
  options?: CallOptions,
) => Promise<ReplyOf<R>>

/** Makes the `Idempotency-Key` of one action of a person. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Makes a client.
 *
 * @returns a function that sends one request and returns the reply's `data`. It rejects with
 * {@link Refusal} when the server refused, and with {@link Unreachable} when no answer came.
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const timeOutAfter = options.timeOutAfter ?? ((ms) => AbortSignal.timeout(ms))
  const wait = options.wait ?? ((ms) => new Promise<void>((done) => setTimeout(done, ms)))

  async function tryOnce(
    url: string,
    init: RequestInit,
    { file, signal: outer }: CallOptions,
  ): Promise<Response> {
    const timeout = timeOutAfter(file ? FILE_TRY_TIMEOUT_MS : TRY_TIMEOUT_MS)
    const signal = outer ? anySignal(outer, timeout) : timeout
    try {
      const response = await send(url, { ...init, signal })
      // Reading the body is part of the try: a connection that stops in the middle times out too.
      const body = await response.arrayBuffer()
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (cause) {
      if (outer?.aborted) throw cause
      throw new Unreachable({ timedOut: timeout.aborted, cause })
    }
  }

  /** Pauses between two tries; ends at once when the caller cancels. */
  function pause(outer?: AbortSignal): Promise<void> {
    return new Promise((done, fail) => {
      const stop = () => fail(outer?.reason)
      if (outer?.aborted) return stop()
      outer?.addEventListener('abort', stop, { once: true })
      wait(RETRY_DELAY_MS)
        .then(done, fail)
        .finally(() => outer?.removeEventListener('abort', stop))
    })
  }

  return async function call(route, request, callOptions = {}) {
    const common = { host: options.host, lang: options.lang() }
    const token = options.token()
    const headers: Record<string, string> = {}
    if (token && !WITHOUT_TOKEN.includes(route.path)) headers.Token = token
    const key =
      callOptions.idempotencyKey ?? (changesSomething(route) ? newIdempotencyKey() : undefined)
    if (key) headers['Idempotency-Key'] = key

    const fields = { ...(request as Record<string, unknown>), ...common }
    let url = options.base() + route.path
    const init: RequestInit = { method: route.method, headers, credentials: 'same-origin' }
    if (callOptions.keepalive) init.keepalive = true
    if (route.method === 'GET') {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) {
        if (value !== undefined && value !== null) query.set(name, String(value))
      }
      url += `?${query}`
    } else if (callOptions.file && route.file) {
      // The server may refuse a file before it has read the body, so the language is in the query.
      url += `?${new URLSearchParams({ lang: common.lang })}`
      init.body = multipartBody(fields, { name: route.file, file: callOptions.file })
    } else {
      headers['Content-Type'] = 'application/json'
      init.body = JSON.stringify(fields)
    }

    /** Why it is not known whether an earlier try has done it. */
    let unanswered: unknown = null
    for (let tries = 1; ; tries++) {
      const heard = options.listenToClock?.()
      try {
        return await readEnvelope(await tryOnce(url, init, callOptions), heard)
      } catch (error) {
        const timedOut = timeoutOf(error)
        if (timedOut || isAway(error)) unanswered = timedOut ?? error
        // Its key lets an action be repeated while a server starts or a database changes; what is read is asked for
        // again. Too many requests now says nothing of an action that an earlier try may have done.
        const isCarriedOver = isAway(error) || (unanswered !== null && isTooMany(error))
        if (!timedOut && (key === undefined || !isCarriedOver)) throw error
        if (tries >= TRIES_MAX) throw unanswered
        await pause(callOptions.signal)
      }
    }
  }
}

/** That a try timed out: nothing came, or the server's answer that it had not ended in time; else null. */
function timeoutOf(error: unknown): Unreachable | null {
  if (error instanceof Unreachable) return error.timedOut ? error : null
  if (!(error instanceof Refusal) || error.data.cause !== 'timeout') return null
  return new Unreachable({ timedOut: true, cause: error })
}

/** Whether there is no server now, or it is without its database. */
function isAway(error: unknown): boolean {
  if (error instanceof Unreachable) return error.isAway
  return error instanceof Refusal && error.code === CODES.unavailable
}

function isTooMany(error: unknown): boolean {
  return error instanceof Refusal && error.code === CODES.tooMany
}

/** HTTP statuses of a balancer that has no server to ask. */
const AWAY_STATUSES = [502, 503, 504]

/** Fields and a file as a form; the browser adds the content type with its boundary. */
function multipartBody(
  fields: Record<string, unknown>,
  { name, file }: { name: string; file: Blob },
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) form.set(field, String(value))
  }
  form.set(name, file)
  return form
}

/** Reads a reply. One without an envelope came from a proxy, so the server counts as unreachable. */
async function readEnvelope<Data>(
  response: Response,
  heard?: (time: string) => void,
): Promise<Data> {
  let envelope: unknown
  const isAway = AWAY_STATUSES.includes(response.status)
  try {
    envelope = await response.json()
  } catch (cause) {
    throw new Unreachable({ timedOut: false, isAway, cause })
  }
  if (!isEnvelope(envelope)) throw new Unreachable({ timedOut: false, isAway, cause: envelope })
  heard?.(String(envelope.time))
  if (envelope.code === CODES.success || envelope.code === 200) return envelope.data as Data
  throw new Refusal(envelope as Envelope<RefusalData>)
}

/** The refusal that an answer is; null for anything but an envelope. */
export function refusalOf(answer: unknown): Refusal | null {
  return isEnvelope(answer) ? new Refusal(answer as Envelope<RefusalData>) : null
}

function isEnvelope(value: unknown): value is Envelope<unknown> {
  return isObject(value) && 'code' in value && typeof value.code === 'number'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
