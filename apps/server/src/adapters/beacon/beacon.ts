/** The public source of randomness as the engine uses it, and one request to one of its hosts. */
import {
  type BeaconInfo,
  type BeaconValue,
  isRound,
  randomnessOf,
  verifySignature,
} from '@sum28/fairness/beacon.ts'
import { isHex } from '@sum28/fairness/hex.ts'
import { readLimitedText } from '#src/adapters/limited-body.ts'

/** The public source of randomness, as the engine uses it. Every value that it returns is verified. */
export interface Beacon {
  readonly info: BeaconInfo
  /**
   * The value of exactly this round, verified against `info.publicKey`.
   * @param signal ends the attempt; the promise then rejects with the signal's reason
   * @throws BeaconError if no host returned a valid value. The caller may ask again at any time: hosts that failed
   * recently are not asked.
   */
  fetchRound(round: number, signal: AbortSignal): Promise<BeaconValue>
}

/**
 * Why there is no value.
 * - `not-yet`: a host answered that it has no such round (yet), and none lied.
 * - `unreachable`: no host gave an answer that could be read.
 * - `lies`: a host returned a value that is not the beacon's. This deserves an alarm, whatever the other hosts said.
 */
export type BeaconFailure = 'not-yet' | 'unreachable' | 'lies'

/** What one host did instead of returning a valid value. */
export interface HostFailure {
  readonly host: string
  readonly failure: BeaconFailure
  /** For the log: what was wrong, without the answer's own text. */
  readonly detail: string
}

/** No host returned a valid value for the round. */
export class BeaconError extends Error {
  override readonly name = 'BeaconError'
  readonly failure: BeaconFailure
  readonly round: number
  /** One entry for each host: what it did now, or what it did last if it is not asked for the moment. */
  readonly hosts: readonly HostFailure[]

  constructor(round: number, hosts: readonly HostFailure[]) {
    const details = hosts.map(({ host, failure, detail }) => `${host}: ${failure} (${detail})`)
    super(`no value for beacon round ${round}: ${details.join('; ')}`)
    this.failure = worstOf(hosts)
    this.round = round
    this.hosts = hosts
  }
}

function worstOf(hosts: readonly HostFailure[]): BeaconFailure {
  const seen = new Set(hosts.map((host) => host.failure))
  if (seen.has('lies')) return 'lies'
  return seen.has('not-yet') ? 'not-yet' : 'unreachable'
}

/** A round in drand's form has some 250 characters; more is not an answer. */
const ANSWER_BYTES_MAX = 4_096

const SIGNATURE_BYTES = 48

export type Question = {
  readonly host: string
  readonly info: BeaconInfo
  readonly round: number
  /** The time limit for the host, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a host did instead of returning the value. */
class HostFault extends Error {
  override readonly name = 'HostFault'
  readonly failure: BeaconFailure

  constructor(failure: BeaconFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/**
 * Asks one host. The host is not trusted: a value counts only if it is for the requested round and is signed by the
 * beacon's key, by the code with which players check a draw.
 *
 * @returns the verified value, or what the host did instead
 * @throws the signal's reason, if the request was cancelled
 */
export async function askHost(question: Question): Promise<BeaconValue | HostFailure> {
  const { host, info, round, signal } = question
  signal.throwIfAborted()
  try {
    const value = claimedValue(await fetchText(question), round)
    if (!verifySignature({ publicKey: info.publicKey, ...value })) {
      throw new HostFault('lies', 'signature is not the beacon’s')
    }
    return value
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof HostFault)) throw error
    return { host, failure: error.failure, detail: error.message }
  }
}

/** Source of the form: drand's HTTP API, version 1. */
async function fetchText({ host, info, round, timeoutMs, signal }: Question): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let body: string | null
  try {
    const address = `${host.replace(/\/+$/, '')}/${info.chainHash}/public/${round}`
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: 'application/json' },
      // Relays do not redirect. Following a redirect would let a relay send requests into our own network.
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      // drand answers 404 for a round that is not there yet.
      const failure = response.status === 404 || response.status === 425 ? 'not-yet' : 'unreachable'
      throw new HostFault(failure, `status ${response.status}`)
    }
    body = await readLimitedText(response, ANSWER_BYTES_MAX)
  } catch (error) {
    if (error instanceof HostFault) throw error
    const detail = timeout.aborted ? `nothing in ${timeoutMs} ms` : reasonOf(error)
    throw new HostFault('unreachable', detail)
  }
  if (body !== null) return body
  throw new HostFault('unreachable', `more than ${ANSWER_BYTES_MAX} bytes`)
}

/** The value in a host's answer; its signature is not verified yet. */
function claimedValue(body: string, round: number): BeaconValue {
  const answer = parseAnswer(body)
  // A relay's error page is a fault, not a forgery.
  if (answer === null) throw new HostFault('unreachable', 'not a round in drand’s form')
  if (answer.round !== round) throw new HostFault('lies', 'gave another round')
  const { signature } = answer
  if (!isHex(signature, SIGNATURE_BYTES)) throw new HostFault('lies', 'signature is malformed')
  const randomness = randomnessOf(signature)
  if (answer.randomness !== undefined && answer.randomness !== randomness) {
    throw new HostFault('lies', 'randomness is not of the signature')
  }
  return { round, signature, randomness }
}

function parseAnswer(
  body: string,
): { round: number; signature: string; randomness: unknown } | null {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!('round' in value) || !isRound(value.round)) return null
  if (!('signature' in value) || typeof value.signature !== 'string') return null
  const randomness = 'randomness' in value ? value.randomness : undefined
  return { round: value.round, signature: value.signature, randomness }
}

// fetch only says 'fetch failed'; its cause says what happened.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : error.message
}
