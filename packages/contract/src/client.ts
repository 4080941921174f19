/**
 * The typed client of the player API, with the rules that every client keeps: 7 s a try, a try that
 * timed out made again every 2 s up to 7 tries in all, one idempotency key over all tries of one
 * action, and nothing tried again that the server answered.
 */
import { CODES, type Envelope, type RefusalData } from './envelope.ts'
import type { ReplyOf, RequestOf, Route } from './route.ts'

export const TRY_TIMEOUT_MS = 7_000
export const RETRY_DELAY_MS = 2_000
export const TRIES_MAX = 7

export type ClientOptions = {
  /** The address that paths are under, without a slash at the end; empty for the page's own. */
  base: () => string
  /** The session's token, or null where there is none. */
  token: () => string | null
  /** One of the seven languages, as stored. */
  lang: () => string
  /** Sent as `host`: the page's host name. */
  host: string
  fetch?: typeof fetch
  /** Waits between tries; replaced in tests. */
  wait?: (ms: number) => Promise<void>
}

export type CallOptions = {
  /** For calls that change something: made once per action by {@link newIdempotencyKey}. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/** The server answered, and it was a no. */
export class Refusal extends Error {
  readonly code: number
  readonly data: RefusalData
  constructor(envelope: Envelope<RefusalData>) {
    super(envelope.msg)
    this.name = 'Refusal'
    this.code = envelope.code
    this.data = envelope.data ?? { reason: 'fault' }
  }
}

/** No answer came: the network is away, or every try timed out. */
export class Unreachable extends Error {
  readonly timedOut: boolean
  constructor(options: { timedOut: boolean; cause?: unknown }) {
    super(options.timedOut ? 'the server did not answer in time' : 'the server cannot be reached', {
      cause: options.cause,
    })
    this.name = 'Unreachable'
    this.timedOut = options.timedOut
  }
}

export type Client = <R extends Route>(
  route: R,
  request: RequestOf<R>,
  options?: CallOptions,
) => Promise<ReplyOf<R>>

/** A key that names one action of a person, for `Idempotency-Key`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Makes a client.
 *
 * @returns a function that sends one request and gives the reply's `data`. Rejects with
 * {@link Refusal} where the server said no and with {@link Unreachable} where no answer came.
 */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const wait = options.wait ?? ((ms) => new Promise<void>((done) => setTimeout(done, ms)))

  async function tryOnce(url: string, init: RequestInit, outer?: AbortSignal): Promise<Response> {
    const timeout = AbortSignal.timeout(TRY_TIMEOUT_MS)
    const signal = outer ? AbortSignal.any([outer, timeout]) : timeout
    try {
      const response = await send(url, { ...init, signal })
      // The body belongs to the try: a connection that stalls in the middle is a time-out too.
      const body = await response.arrayBuffer()
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (cause) {
      if (outer?.aborted) throw cause
      throw new Unreachable({ timedOut: timeout.aborted, cause })
    }
  }

  return async function call(route, request, callOptions = {}) {
    const common = { host: options.host, lang: options.lang() }
    const token = options.token()
    const headers: Record<string, string> = {}
    if (token) headers.Token = token
    if (callOptions.idempotencyKey) headers['Idempotency-Key'] = callOptions.idempotencyKey

    const fields = { ...(request as Record<string, unknown>), ...common }
    let url = options.base() + route.path
    const init: RequestInit = { method: route.method, headers, credentials: 'same-origin' }
    if (route.method === 'GET') {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) {
        if (value !== undefined && value !== null) query.set(name, String(value))
      }
      url += `?${query}`
    } else {
      headers['Content-Type'] = 'application/json'
      init.body = JSON.stringify(fields)
    }

    for (let tries = 1; ; tries++) {
      try {
        return await readEnvelope(await tryOnce(url, init, callOptions.signal))
      } catch (error) {
        const again = error instanceof Unreachable && error.timedOut && tries < TRIES_MAX
        if (!again) throw error
        await wait(RETRY_DELAY_MS)
      }
    }
  }
}

async function readEnvelope<Data>(response: Response): Promise<Data> {
  let envelope: Envelope<unknown>
  try {
    envelope = (await response.json()) as Envelope<unknown>
  } catch (cause) {
    throw new Unreachable({ timedOut: false, cause })
  }
  if (envelope.code === CODES.success || envelope.code === 200) return envelope.data as Data
  throw new Refusal(envelope as Envelope<RefusalData>)
}
