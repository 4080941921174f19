/**
 * Compares the database's clock with the beacon's. If the beacon is ahead, its value could be known before the seal:
 * from 3.5 to 5 s on, betting stops, by a stop of its own kind, until the two clocks agree again. Betting also stops if
 * they could not be compared for 30 s. The same watch begins and ends the planned stops of betting, within ten seconds.
 */
import { beaconRoundAt, timeOfRound } from '@sum28/fairness/beacon.ts'
import { type Beacon, BeaconError } from '#src/adapters/beacon/beacon.ts'
import type { Clock } from '#src/adapters/clock/clock.ts'
import { repeatUntilEnded } from '#src/concurrency/repeat-until-ended.ts'
import type { Database } from '#src/db/database.ts'
import {
  areClocksApart,
  comparisonBegins,
  keepPlannedStops,
  setClocksApart,
} from '#src/modules/games/catalog.ts'
import type { Log } from '#src/process/log.ts'
import { occasionally } from '#src/process/log.ts'

/** A difference up to this one is always allowed. */
const APART_MS = 2_000

/** Roughly how often they are compared. */
const EVERY_MS = 9_000

/** The pause after a comparison that did not find that they agree. A slow relay can seem late once. */
const DOUBT_MS = 2_000

/** A host may hold a request for a value that does not exist yet. */
const ANSWER_MS = 1_500

const NOT_LEADING_MS = 2_000

export type ClockState = { beaconAheadMs: number | null; clocksApart: boolean }

const NOTHING_FOUND: ClockState = { beaconAheadMs: null, clocksApart: false }

export type ClockWatch = { state(): ClockState; stop(): Promise<void> }

type WatchDeps = {
  db: Database
  beacon: Beacon
  now: () => number
  /** Measures the database's clock anew, for `now`. */
  measureClock: Clock['sync']
  log: Log
  gameIds: readonly number[]
  /** The time limit for one request to a host; longer in tests. */
  answerMs?: number
  /** Called for each game when betting was stopped or opened again. */
  roundChanged: (gameId: number) => void
}

/** The result of one comparison. `unknown`: no host answered, to one of the questions. */
export type ClockFinding = 'agree' | 'ahead' | 'behind' | 'unknown'

/** `seen`: the newest value that a host gave, verified; null if none did. */
export type ClockComparison = {
  finding: ClockFinding
  aheadMs: number | null
  seen: number | null
}

/**
 * Asks the beacon for the first value whose time is at least 2 s ahead, which a host must say does not exist, and for
 * the last value whose time was at least 2 s ago, which must exist. A relay may hold the first question until the
 * value exists; then the value after it decides.
 */
export async function compareClocks(
  { beacon, now, answerMs = ANSWER_MS }: Pick<WatchDeps, 'beacon' | 'now' | 'answerMs'>,
  signal: AbortSignal,
): Promise<ClockComparison> {
  const first = beaconRoundAt(beacon.info, now() + APART_MS)
  for (const due of [first, first + 1]) {
    const early = await lookUp(beacon, due, within(answerMs, signal))
    if (early === 'there') {
      return { finding: 'ahead', aheadMs: timeOfRound(beacon.info, due) - now(), seen: due }
    }
    if (early === 'not yet') break
    if (due > first) return { finding: 'unknown', aheadMs: null, seen: null }
  }
  const past = beaconRoundAt(beacon.info, now() - APART_MS + 1) - 1
  const since = past < 1 ? 'there' : await lookUp(beacon, past, within(answerMs, signal))
  if (since === 'there') return { finding: 'agree', aheadMs: 0, seen: past < 1 ? null : past }
  if (since === 'not yet') {
    return { finding: 'behind', aheadMs: timeOfRound(beacon.info, past) - now(), seen: null }
  }
  return { finding: 'unknown', aheadMs: null, seen: null }
}

function within(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)])
}

async function lookUp(
  beacon: Beacon,
  round: number,
  signal: AbortSignal,
): Promise<'there' | 'not yet' | 'silent'> {
  try {
    await beacon.fetchRound(round, signal)
    return 'there'
  } catch (error) {
    const hosts = error instanceof BeaconError ? error.hosts : []
    return hosts.some(({ failure }) => failure === 'not-yet') ? 'not yet' : 'silent'
  }
}

/** Stores the results of a watch, and stops or opens betting accordingly. */
export function clockJudge(deps: WatchDeps) {
  const { db, log, now, roundChanged, gameIds } = deps
  const state: ClockState = { ...NOTHING_FOUND }
  let doubts = 0

  /**
   * Compares once; returns the milliseconds until the next comparison. A beacon that is ahead stops betting at once,
   * if it is so by a clock that was measured just then: the database's may have been set since.
   * One that seems late, which endangers no bet, stops it after the second time. One that does not answer stops it
   * after 30 s.
   */
  async function judge(signal: AbortSignal): Promise<number> {
    const began = await comparisonBegins(db)
    let comparison = await compareClocks(deps, signal)
    if (comparison.finding === 'ahead') {
      await deps.measureClock()
      comparison = await compareClocks(deps, signal)
    }
    if (signal.aborted) return 0
    const { finding, aheadMs, seen } = comparison
    state.beaconAheadMs = aheadMs
    doubts = finding === 'behind' ? doubts + 1 : 0
    if (finding === 'behind' && doubts < 2 && !state.clocksApart) return DOUBT_MS
    const isApart = finding === 'unknown' ? null : finding !== 'agree'
    const value = seen === null ? null : { round: seen, chainHash: deps.beacon.info.chainHash }
    if (await setClocksApart(db, isApart, { seen: value, began }))
      for (const id of gameIds) roundChanged(id)
    const apart = await areClocksApart(db)
    if (state.clocksApart && !apart) log.warn({}, 'the clocks agree again: betting is open')
    state.clocksApart = apart
    if (apart) {
      occasionally(
        log,
        { about: 'clocks', now: now(), facts: { finding } },
        'the database’s clock and the beacon’s disagree, or cannot be compared: betting is stopped',
      )
    }
    return finding === 'agree' ? EVERY_MS : DOUBT_MS
  }

  /** Forgets the last result: another process compares now, and reports what it finds. */
  function forget(): void {
    Object.assign(state, NOTHING_FOUND)
    doubts = 0
  }

  return { judge, forget, state }
}

/** Compares the clocks regularly, in one process for all. */
export function watchClocks(
  deps: WatchDeps & { leads: () => Promise<boolean>; wait: Clock['wait'] },
): ClockWatch {
  const { judge, forget, state } = clockJudge(deps)

  async function check(signal: AbortSignal): Promise<number> {
    if (!(await deps.leads())) {
      forget()
      return NOT_LEADING_MS
    }
    const wait = await judge(signal)
    // After the comparison, by which betting may open: what became due before is stopped at once.
    for (const id of await keepPlannedStops(deps.db)) deps.roundChanged(id)
    // The question comes a moment later, and so is of the next value, due in almost five seconds: no relay holds that one.
    const at = deps.now() + wait
    return (
      wait +
      (timeOfRound(deps.beacon.info, beaconRoundAt(deps.beacon.info, at + APART_MS)) -
        at -
        APART_MS)
    )
  }

  const { stop } = repeatUntilEnded(check, {
    wait: deps.wait,
    failed: (error) => deps.log.error({ error }, 'the clocks could not be compared'),
    afterFailureMs: NOT_LEADING_MS,
  })
  return { state: () => ({ ...state }), stop }
}
