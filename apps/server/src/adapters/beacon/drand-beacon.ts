import { type BeaconInfo, type BeaconValue, isRound } from '@sum28/fairness/beacon.ts'
import { LRUCache } from 'lru-cache'
import { askHost } from './ask-host.ts'
import { backOff } from './back-off.ts'
import { type Beacon, BeaconError, type HostFailure } from './beacon.ts'

/** Longer than a beacon's period, since a relay may hold a request for the next round until it is there. */
const DEFAULT_TIMEOUT_MS = 4_000

/** A relay that is well answers sooner; then the next one is asked beside it. */
const DEFAULT_HEDGE_MS = 400

/** A host that failed rests so long, then twice as long, up to the most. */
const DEFAULT_REST = { firstMs: 500, maxMs: 30_000 }

/** A host that has no value yet is in order, and is asked for that round again sooner. */
const DEFAULT_NOT_YET_REST = { firstMs: 250, maxMs: 2_000 }

/** The four games ask for the same few rounds, each for itself. */
const VALUES_KEPT = 64

type Rest = { readonly firstMs: number; readonly maxMs: number }

export interface DrandBeaconOptions {
  readonly info: BeaconInfo
  /** Base addresses, asked in this order: `https://api.drand.sh`, `http://127.0.0.1:3000/beacon`. */
  readonly hosts: readonly string[]
  /** The most that one host may take, in milliseconds. */
  readonly timeoutMs?: number
  /** How long a host may be silent before the next is asked as well, in milliseconds. */
  readonly hedgeMs?: number
  /** How long a host rests that failed: the first time, and at the most, in milliseconds. */
  readonly rest?: Rest
  /** How long it rests that has no value yet; other rounds it is asked for all the same. */
  readonly notYetRest?: Rest
  /** Told of each host that failed, also when another then gave the value. */
  readonly onHostFailure?: (failure: HostFailure & { readonly round: number }) => void
}

/**
 * A beacon behind drand's HTTP form, `GET {host}/{chainHash}/public/{round}`. The hosts are asked in
 * turn: the next one as soon as one fails, or beside one that is silent; the first true value
 * counts. A host that failed is left alone for a while, and nobody waits for it.
 */
export function createDrandBeacon(options: DrandBeaconOptions): Beacon {
  const { info, hosts, onHostFailure } = options
  const { timeoutMs = DEFAULT_TIMEOUT_MS, hedgeMs = DEFAULT_HEDGE_MS } = options
  if (hosts.length === 0) throw new RangeError('a beacon needs at least one host')
  const broken = backOff(options.rest ?? DEFAULT_REST)
  const early = backOff(options.notYetRest ?? DEFAULT_NOT_YET_REST)
  // What a host that rests did last: told again to whoever asks meanwhile.
  const last = new Map<string, HostFailure>()
  const known = new LRUCache<number, BeaconValue>({ max: VALUES_KEPT })
  const questions = new Map<number, Question>()

  function resting(host: string, round: number): HostFailure | null {
    const rests = broken.restMs(host) > 0 || early.restMs(`${round} ${host}`) > 0
    return (rests && last.get(host)) || null
  }

  function failed(failure: HostFailure, round: number): void {
    const { host } = failure
    last.set(host, failure)
    if (failure.failure === 'not-yet') early.failed(`${round} ${host}`)
    else broken.failed(host)
    onHostFailure?.({ ...failure, round })
  }

  function keep(value: BeaconValue): void {
    known.set(value.round, value)
  }

  /** Asks until one host has given the value or each has failed; ends all questions with that. */
  function ask(round: number, over: AbortController): Promise<BeaconValue> {
    const failures: HostFailure[] = []
    const waiting = hosts.filter((host) => {
      const failure = resting(host, round)
      if (failure) failures.push(failure)
      return !failure
    })
    // In the order in which they were asked.
    const silent = new Set<string>()
    return new Promise<BeaconValue>((resolve, reject) => {
      over.signal.addEventListener('abort', () => reject(over.signal.reason), { once: true })

      function next(): void {
        const host = waiting.shift()
        if (host !== undefined) void askOne(host)
        else if (silent.size === 0) reject(new BeaconError(round, failures))
      }

      async function askOne(host: string): Promise<void> {
        silent.add(host)
        const before = [...silent].slice(0, -1)
        const hedge = setTimeout(next, hedgeMs)
        try {
          const answer = await askHost({ host, info, round, timeoutMs, signal: over.signal })
          silent.delete(host)
          if ('signature' in answer) {
            broken.succeeded(host)
            // The next question begins with another host than the one that was slow.
            for (const slow of before.filter((each) => silent.has(each))) {
              failed({ host: slow, failure: 'unreachable', detail: 'another was quicker' }, round)
            }
            resolve(answer)
          } else {
            failures.push(answer)
            failed(answer, round)
            next()
          }
        } catch (error) {
          reject(error)
        } finally {
          clearTimeout(hedge)
        }
      }

      next()
    })
  }

  function questionOf(round: number): Question {
    const running = questions.get(round)
    if (running) return running
    const over = new AbortController()
    const asked: Question = { value: ask(round, over), over, callers: 0 }
    questions.set(round, asked)
    const ended = () => {
      over.abort()
      if (questions.get(round) === asked) questions.delete(round)
    }
    asked.value.then(keep, () => {}).then(ended)
    return asked
  }

  async function fetchRound(round: number, signal: AbortSignal): Promise<BeaconValue> {
    if (!isRound(round)) throw new RangeError('a beacon round is a whole number from 1')
    signal.throwIfAborted()
    const value = known.get(round)
    if (value) return value
    const asked = questionOf(round)
    asked.callers += 1
    const leaving = Promise.withResolvers<never>()
    const leave = () => leaving.reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([asked.value, leaving.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      asked.callers -= 1
      if (asked.callers === 0) {
        asked.over.abort()
        questions.delete(round)
      }
    }
  }

  return { info, fetchRound }
}

/** The question of one round to the hosts, shared by all callers who wait for it. */
type Question = {
  readonly value: Promise<BeaconValue>
  /** Ends the question to every host. */
  readonly over: AbortController
  callers: number
}
