/** One question to one host: the value of a round, or what the host did instead. */
import {
  type BeaconInfo,
  type BeaconValue,
  isRound,
  randomnessOf,
  verifySignature,
} from '@sum28/fairness/beacon.ts'
import type { BeaconFailure, HostFailure } from './beacon.ts'
import { readLimitedText } from './limited-text.ts'

/** A round in drand's form has some 250 characters; more is not an answer. */
const ANSWER_BYTES_MAX = 4_096

type Question = {
  readonly host: string
  readonly info: BeaconInfo
  readonly round: number
  /** The most that the host may take, in milliseconds. */
  readonly timeoutMs: number
  /** Ends the attempt; the promise then rejects with its reason. */
  readonly signal: AbortSignal
}

/**
 * Asks one host, which is not trusted: a value counts only when it is of the round that was asked
 * for and signed by the beacon's key. Source of the form: drand's HTTP API, version 1.
 *
 * @returns the verified value, or what the host did instead of giving it
 */
export async function askHost(question: Question): Promise<BeaconValue | HostFailure> {
  const { host, info, round, timeoutMs, signal } = question
  signal.throwIfAborted()
  const failed = (failure: BeaconFailure, detail: string) => ({ host, failure, detail })
  const timeout = AbortSignal.timeout(timeoutMs)
  let body: string | null
  try {
    const address = `${host.replace(/\/+$/, '')}/${info.chainHash}/public/${round}`
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: 'application/json' },
      // Relays do not redirect; following one would let a relay send requests into our own network.
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      // drand answers 404 for a round that is not there yet.
      const failure = response.status === 404 || response.status === 425 ? 'not-yet' : 'unreachable'
      return failed(failure, `status ${response.status}`)
    }
    body = await readLimitedText(response, ANSWER_BYTES_MAX)
  } catch (error) {
    signal.throwIfAborted()
    return failed('unreachable', timeout.aborted ? `nothing in ${timeoutMs} ms` : reasonOf(error))
  }
  return body === null
    ? failed('unreachable', `more than ${ANSWER_BYTES_MAX} bytes`)
    : judge(body, question)
}

function judge(body: string, { host, info, round }: Question): BeaconValue | HostFailure {
  const failed = (failure: BeaconFailure, detail: string) => ({ host, failure, detail })
  const answer = parseAnswer(body)
  // A relay's error page is a fault, not a forgery.
  if (answer === null) return failed('unreachable', 'not a round in drand’s form')
  if (answer.round !== round) return failed('lies', 'gave another round')
  const { signature } = answer
  if (!verifySignature({ publicKey: info.publicKey, round, signature })) {
    return failed('lies', 'signature is not the beacon’s')
  }
  const randomness = randomnessOf(signature)
  if (answer.randomness !== undefined && answer.randomness !== randomness) {
    return failed('lies', 'randomness is not of the signature')
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

// fetch says only 'fetch failed'; what happened is in its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : error.message
}
