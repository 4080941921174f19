import { type BeaconInfo, type BeaconValue, isRound } from '@sum28/fairness/beacon.ts'
import { LRUCache } from 'lru-cache'
import { askHost, type Beacon, BeaconError, type HostFailure } from './beacon.ts'

/** Longer than a beacon's period, because a relay may hold a request for the next round until the value exists. */
const DEFAULT_TIMEOUT_MS = 4_000

/** A healthy relay answers sooner; after this time the next one is asked as well. */
const DEFAULT_HEDGE_MS = 400

/**
 * A host that failed pauses for this time, then for twice as long, up to the maximum. A relay also answers 500 for a
 * round that is due and not there yet, and a draw must not wait long once it is.
 */
const DEFAULT_REST = { firstMs: 500, maxMs: 4_000 }

/** A host that has no value yet works; it is asked for that round again sooner. */
const DEFAULT_NOT_YET_REST = { firstMs: 250, maxMs: 2_000 }

/** The four games ask for the same few rounds independently. */
const VALUES_KEPT = 64

type Rest = { readonly firstMs: number; readonly maxMs: number }

export interface DrandBeaconOptions {
  readonly info: BeaconInfo
  /** Base addresses, in the order in which they are asked: `https://api.drand.sh`, `http://127.0.0.1:3000/beacon`. */
  readonly hosts: readonly string[]
  /** The time limit for one host, in milliseconds. */
  readonly timeoutMs?: number
  /** How long a host may be silent before the next is asked as well, in milliseconds. */
  readonly hedgeMs?: number
  /** How long a host that failed is not asked: the first time, and at most, in milliseconds. */
  readonly rest?: Rest
  /** How long a host that has no value yet is not asked for that round; other rounds are asked for. */
  readonly notYetRest?: Rest
  /** Called for each host that failed, even if another host then returned the value. */
  readonly onHostFailure?: (failure: HostFailure & { readonly round: number }) => void
}

/**
 * A beacon behind drand's HTTP form, `GET {host}/{chainHash}/public/{round}`. The hosts are asked in
 * turn: the next one as soon as one fails, or in parallel if one does not answer; the first valid value counts. A
 * host that failed is not asked for a while, and no request waits for it.
 */
export function createDrandBeacon(options: DrandBeaconOptions): Beacon {
  const { info, hosts, onHostFailure } = options
  const { timeoutMs = DEFAULT_TIMEOUT_MS, hedgeMs = DEFAULT_HEDGE_MS } = options
  if (hosts.length === 0) throw new RangeError('a beacon needs at least one host')
  const broken = backOff(options.rest ?? DEFAULT_REST)
  const early = backOff(options.notYetRest ?? DEFAULT_NOT_YET_REST)
  // The last result of a host that is paused; callers get it meanwhile.
  const last = new Map<string, HostFailure>()
  const recentValues = new LRUCache<number, BeaconValue>({ max: VALUES_KEPT })
  const questions = new Map<number, Question>()

  function resting(host: string, round: number): HostFailure | null {
    const paused = broken.pauseMs(host) > 0 || early.pauseMs(`${round} ${host}`) > 0
    return (paused && last.get(host)) || null
  }

  function failed(failure: HostFailure, round: number): void {
    const { host } = failure
    last.set(host, failure)
    if (failure.failure === 'not-yet') early.failed(`${round} ${host}`)
    else broken.failed(host)
    onHostFailure?.({ ...failure, round })
  }

  function keep(value: BeaconValue): void {
    recentValues.set(value.round, value)
  }

  /** Asks until one host has returned the value or all have failed; then it cancels all requests. */
  function ask(
    round: number,
    over: AbortController,
    failures: HostFailure[],
  ): Promise<BeaconValue> {
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
            // The next request begins with another host than the slow one.
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
    const failures: HostFailure[] = []
    const question: Question = { value: ask(round, over, failures), failures, over, callers: 0 }
    questions.set(round, question)
    const ended = () => {
      over.abort()
      if (questions.get(round) === question) questions.delete(round)
    }
    question.value.then(keep, () => {}).then(ended)
    return question
  }

  async function fetchRound(round: number, signal: AbortSignal): Promise<BeaconValue> {
    if (!isRound(round)) throw new RangeError('a beacon round is a whole number from 1')
    signal.throwIfAborted()
    const value = recentValues.get(round)
    if (value) return value
    const question = questionOf(round)
    question.callers += 1
    const leaving = Promise.withResolvers<never>()
    // A caller without time for a silent host is told what the others said.
    const leave = () => {
      const { failures } = question
      const isLate = signal.reason?.name === 'TimeoutError' && failures.length > 0
      leaving.reject(isLate ? new BeaconError(round, [...failures]) : signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([question.value, leaving.promise])
    } finally {
      signal.removeEventListener('abort', leave)
      question.callers -= 1
      if (question.callers === 0) {
        question.over.abort()
        questions.delete(round)
      }
    }
  }

  return { info, fetchRound }
}

/** The request for one round, shared by all callers that wait for it. */
type Question = {
  readonly value: Promise<BeaconValue>
  /** Of the hosts that have answered, or rest. */
  readonly failures: readonly HostFailure[]
  readonly over: AbortController
  callers: number
}

/** How long a name that failed is not asked again: longer after each failure in a row, up to a maximum. */
type BackOff = {
  /** Milliseconds until it may be asked again; 0 when it may be asked now. */
  pauseMs(who: string): number
  failed(who: string): void
  /** Records a success: earlier failures are forgotten. */
  succeeded(who: string): void
}

/** How many names are kept; the name whose failure is oldest is dropped first. */
const KEPT_MAX = 1_000

/**
 * Makes a back-off whose pauses double. It reads no wall clock, so setting the clock changes nothing.
 *
 * @param firstMs the pause after the first failure, in milliseconds
 * @param maxMs the longest pause, in milliseconds
 * @param now a monotonic clock, in milliseconds
 */
export function backOff({
  firstMs,
  maxMs,
  now = () => performance.now(),
}: {
  firstMs: number
  maxMs: number
  now?: () => number
}): BackOff {
  const pauses = new LRUCache<string, { ms: number; endsAt: number }>({ max: KEPT_MAX })
  return {
    pauseMs: (who) => Math.max(0, (pauses.peek(who)?.endsAt ?? 0) - now()),
    failed(who) {
      const before = pauses.peek(who)
      const ms = Math.min(maxMs, before ? before.ms * 2 : firstMs)
      pauses.set(who, { ms, endsAt: now() + ms })
    },
    succeeded: (who) => void pauses.delete(who),
  }
}
