import { type BeaconInfo, isRound, randomnessOf } from '@sum28/fairness/beacon.ts'
import { isHex } from '@sum28/fairness/hex.ts'
import type { ChainClient, ChainInfo, RandomnessBeacon } from 'drand-client'
import { readLimitedText } from '#src/adapters/limited-body.ts'
import type { BeaconFailure } from './beacon.ts'

/** A round in drand's form has some 250 characters; more is not an answer. */
const ANSWER_BYTES_MAX = 4_096

const SIGNATURE_BYTES = 48

/** One request to one host. */
export type Question = {
  readonly host: string
  readonly info: BeaconInfo
  readonly round: number
  /** The time limit for the host, in milliseconds. */
  readonly timeoutMs: number
  /** Cancels the request. */
  readonly signal: AbortSignal
}

/** What a host did instead of answering in drand's form. */
export class HostFault extends Error {
  override readonly name = 'HostFault'
  readonly failure: BeaconFailure

  constructor(failure: BeaconFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/**
 * What drand's client library needs to fetch from a host, over a transport that can be cancelled. The library's own
 * transport has no timeout, follows redirects and reads answers of any size.
 * Source of the form: drand's HTTP API, version 1.
 */
export function hostClient(question: Question): ChainClient {
  const info = chainInfoOf(question.info)
  return {
    options: { disableBeaconVerification: false, noCache: false },
    chain: () => ({ baseUrl: question.host, info: async () => info }),
    get: async () => beaconOf(await fetchText(question), question.round),
    // A draw has announced its round, so nothing asks for the latest one.
    latest: () => Promise.reject(new Error('only an announced round is fetched')),
  }
}

/** The chain's parameters are fixed here; no host is asked for them. */
function chainInfoOf(info: BeaconInfo): ChainInfo {
  return {
    public_key: info.publicKey,
    period: info.period,
    genesis_time: info.genesisTime,
    hash: info.chainHash,
    schemeID: info.scheme,
    // Parts of the chain's hash; no check depends on them.
    groupHash: '',
    metadata: { beaconID: '' },
  }
}

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

/** The kinds of faults are distinguished here, because the library calls every bad value 'not valid'. */
function beaconOf(body: string, round: number): RandomnessBeacon {
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
