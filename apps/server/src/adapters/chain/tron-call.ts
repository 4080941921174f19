import { readLimitedText } from '#src/adapters/limited-body.ts'

/**
 * The largest answer that is read. A true block that were larger would stop the watcher. So the limit is far above what
 * a block has: at most 2 MB of transactions, whose logs a node writes as JSON of some MB.
 */
export const TRON_ANSWER_BYTES_MAX = 64 * 1024 * 1024

/**
 * Why a call to a node returned nothing:
 * - `unreachable`, `timeout`: no answer, or none in time;
 * - `stopped`: the caller's signal ended it;
 * - `rate_limited`: 429, or the words of a rate limit under any status;
 * - `refused`: 401 or 403; without a key TronGrid also answers so for half a minute to a client that asks
 *   too often;
 * - `http`: another status that is not a success;
 * - `node_error`: a success by its status, but with an `Error` in the body, as full nodes do;
 * - `malformed`: not JSON, not of the expected format, or larger than any block;
 * - `not_yet`: the node does not have that block yet, or only a part of it.
 */
export type TronFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'stopped'
  | 'rate_limited'
  | 'refused'
  | 'http'
  | 'node_error'
  | 'malformed'
  | 'not_yet'

export type TronFailure = {
  kind: TronFailureKind
  /** For a log line: no key, and at most 200 characters of the body. */
  message: string
  /** The HTTP status, if there was an answer. */
  status: number | null
  /** How long the node asks clients to wait, if it says so. */
  retryAfterMs: number | null
}

export type TronAnswer<T> = { ok: true; value: T } | { ok: false; failure: TronFailure }

export type TronEndpoint = {
  /** Base URL, with or without a path for the calls; no query. */
  url: string
  /** Sent as TRON-PRO-API-KEY, if set. */
  apiKey?: string | undefined
  /** For the whole call from its turn on, including the body. */
  timeoutMs: number
  /** Milliseconds since 1970, for a Retry-After that names an instant. */
  now: () => number
  /** Waits for the call's turn; without it, calls do not wait for each other. */
  turn?: (() => Promise<void>) | undefined
}

/** Makes a function that waits for the caller's turn: turns come in the order of the calls, `everyMs` apart or more. */
export function pacer(everyMs: number): () => Promise<void> {
  let next: Promise<void> = Promise.resolve()
  return () => {
    const turn = next
    next = turn.then(() => new Promise((ended) => setTimeout(ended, everyMs)))
    return turn
  }
}

/** One POST to a node. Never rejects: the result describes each failure. */
export async function callTron(
  endpoint: TronEndpoint,
  call: { path: string; body: Record<string, number | string>; signal?: AbortSignal | undefined },
): Promise<TronAnswer<unknown>> {
  await endpoint.turn?.()
  const timeOut = AbortSignal.timeout(endpoint.timeoutMs)
  const signal = call.signal ? AbortSignal.any([timeOut, call.signal]) : timeOut
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
  }
  if (endpoint.apiKey) headers['TRON-PRO-API-KEY'] = endpoint.apiKey
  try {
    const response = await fetch(endpoint.url.replace(/\/+$/u, '') + call.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(call.body),
      signal,
      // Following a redirect would send the key to a host that is not configured.
      redirect: 'error',
    })
    const text = await readLimitedText(response, TRON_ANSWER_BYTES_MAX)
    if (text !== null) return readAnswer(response, text, endpoint.now())
    const message = `the answer has more than ${TRON_ANSWER_BYTES_MAX} bytes`
    return fail({ kind: 'malformed', message, status: response.status })
  } catch (error) {
    if (call.signal?.aborted) return fail({ kind: 'stopped', message: 'the call was stopped' })
    if (timeOut.aborted) {
      return fail({ kind: 'timeout', message: `no answer within ${endpoint.timeoutMs} ms` })
    }
    return fail({ kind: 'unreachable', message: `no connection: ${reasonOf(error)}` })
  }
}

/** An answer that reports a failure; fields that do not apply may be left out. */
export function fail(failure: Pick<TronFailure, 'kind' | 'message'> & Partial<TronFailure>): {
  ok: false
  failure: TronFailure
} {
  return { ok: false, failure: { status: null, retryAfterMs: null, ...failure } }
}

function readAnswer(response: Response, text: string, now: number): TronAnswer<unknown> {
  const { status } = response
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const nodeError = errorIn(body)
  const message = nodeError ?? `status ${status}: ${text.trim().slice(0, 200)}`
  const retryAfterMs =
    readRetryAfter(response.headers.get('retry-after'), now) ?? penaltyIn(nodeError)
  const limited =
    nodeError !== null && /frequency limit|rate limit|too many requests/iu.test(nodeError)
  if (status === 429 || limited)
    return fail({ kind: 'rate_limited', message, status, retryAfterMs })
  if (status === 401 || status === 403) {
    return fail({ kind: 'refused', message, status, retryAfterMs })
  }
  if (!response.ok) return fail({ kind: 'http', message, status, retryAfterMs })
  if (nodeError !== null) return fail({ kind: 'node_error', message, status, retryAfterMs })
  if (body === undefined) {
    return fail({ kind: 'malformed', message: `not JSON: ${text.slice(0, 200)}`, status })
  }
  return { ok: true, value: body }
}

function errorIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const error = 'Error' in body ? body.Error : 'error' in body ? body.error : undefined
  if (error === undefined || error === null) return null
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 200)
}

/** Seconds or a date, as RFC 9110 10.2.3 has it. */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/u.test(header.trim())) return Number(header.trim()) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** TronGrid puts its penalty into the sentence: "… is suspended for 30s". */
function penaltyIn(nodeError: string | null): number | null {
  const seconds =
    nodeError === null ? undefined : /suspended for (\d{1,6})\s*s/iu.exec(nodeError)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (cause instanceof Error) {
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  }
  return error.message
}
