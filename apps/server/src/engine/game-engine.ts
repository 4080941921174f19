/**
 * Drives the rounds of one game by the calendar: opens what runs now, seals, closes the book, draws,
 * settles, voids and refunds. It keeps no state of its own: each step asks the database what is
 * due, so an engine that was away, or killed at any point, goes on where things stand, and what is
 * done already is not done again.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  dayOf,
  nextRoundAfter,
  roundAt,
  type ScheduledRound,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'
import { type BeaconValue, roundAt as beaconRoundAt } from '@sum28/fairness/beacon.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { fromHex } from '@sum28/fairness/hex.ts'
import { type Beacon, BeaconError } from '#src/adapters/beacon/beacon.ts'
import type { Database } from '#src/db/database.ts'
import { bookOfRound } from '#src/modules/bets/close-book.ts'
import { refundRound, settleRound } from '#src/modules/bets/resolve-round.ts'
import type { Seeds } from '#src/modules/fairness/seeds.ts'
import {
  closeBook,
  openRound,
  type Round,
  roundByIssue,
  sealRound,
  storeDraw,
  unfinishedRounds,
  type VoidReason,
  voidRound,
} from '#src/modules/rounds/round-store.ts'
import type { EngineLog } from './engine-log.ts'
import { occasionalError } from './occasional-error.ts'

export type EngineDeps = {
  db: Database
  schedule: ScheduleRules
  beacon: Beacon
  beaconDeadlineMs: number
  seeds: Seeds
  now: () => number
  log: EngineLog
  /** Hears of each step that a game's rounds have taken. */
  onStep?: (gameId: number) => void
}

/** How soon to look again while something is waited for, such as the beacon's value. */
const SOON_MS = 250

/** How long a turn waits for hosts of the beacon: other rounds have to be opened and sealed in time. */
const PATIENCE_MS = 500

/** The longest sleep: a schedule that was changed, or a clock that jumped, is noticed by then. */
const SLEEP_MAX_MS = 1_000

/**
 * Does everything that is due in one game. No round waits for another: one that waits for its beacon,
 * or that fails, keeps none from being opened or sealed at its time.
 *
 * @returns the milliseconds until something is due again
 * @throws what the first step that failed threw, once every other was done
 */
export async function driveGame(
  deps: EngineDeps,
  gameId: number,
  signal: AbortSignal,
): Promise<number> {
  const rounds = await unfinishedRounds(deps.db, gameId)
  if (signal.aborted) return 0
  const steps = await Promise.allSettled([
    ...rounds.map((round) => advance(deps, round, signal)),
    openCurrent(deps, gameId),
  ])
  const waits = steps.map((step) => {
    if (step.status === 'rejected') throw step.reason
    return step.value
  })
  return Math.max(0, Math.min(...waits, SLEEP_MAX_MS))
}

/** Takes one round as far as it can go now; gives the milliseconds until it can go further. */
async function advance(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, now, log } = deps
  if (round.state === 'open' || round.state === 'sealed') {
    if (isLate(round, now())) return voided(deps, round, 'sealed_late', signal)
  }
  if (round.state === 'open') {
    const wait = round.sealsAt - now()
    if (wait > 0) return wait
    if (!(await sealRound(db, round))) return SOON_MS
    log.info({ ...named(round) }, 'sealed')
    deps.onStep?.(round.gameId)
    return advance(deps, { ...round, state: 'sealed' }, signal)
  }
  if (round.state === 'sealed') {
    if (round.bookClosedAt !== null) return draw(deps, round, signal)
    const book = await bookOfRound(db, round)
    const root = fromHex(book.root, 32)
    // Refused where another process closed it, or where it became too late just now.
    if (!(await closeBook(db, round, { root, size: book.size }))) return SOON_MS
    return round.drawsAt - now()
  }
  if (round.state === 'drawn') {
    const bets = await settleRound(db, round, dayOf(deps.schedule.timeZone, now()))
    log.info({ ...named(round), bets }, 'settled')
    deps.onStep?.(round.gameId)
  } else if (round.state === 'voided') {
    const bets = await refundRound(db, round)
    log.warn({ ...named(round), bets }, 'refunded')
    deps.onStep?.(round.gameId)
  }
  return SLEEP_MAX_MS
}

/** Whether a round's book is not closed, or was not, when its beacon's value could be known. */
function isLate({ bookClosedAt, drawsAt }: Round, now: number): boolean {
  return bookClosedAt === null ? now >= drawsAt : bookClosedAt >= drawsAt
}

async function voided(
  deps: EngineDeps,
  round: Round,
  reason: VoidReason,
  signal: AbortSignal,
): Promise<number> {
  if (!(await voidRound(deps.db, round, reason))) return SOON_MS
  deps.log.error({ ...named(round), reason }, 'voided: it could not be drawn in time')
  deps.onStep?.(round.gameId)
  return advance(deps, { ...round, state: 'voided' }, signal)
}

/** Draws a round from its seed and its beacon value, or voids it once the deadline has passed. */
async function draw(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, now, log, seeds } = deps
  const wait = round.drawsAt - now()
  if (wait > 0) return wait

  if (now() >= (round.voidsAt ?? round.drawsAt + deps.beaconDeadlineMs)) {
    return voided(deps, round, 'beacon_late', signal)
  }
  const value = await beaconValue(deps, round, signal)
  if (!value) return SOON_MS
  const seed = await seeds.seedOf(round.chainId, round.chainIndex)
  const digits = drawDigits({
    gameId: round.gameId,
    issue: round.issue,
    seed,
    randomness: value.randomness,
  })
  const stored = await storeDraw(db, round, {
    seed: fromHex(seed, 32),
    signature: fromHex(value.signature, 48),
    randomness: fromHex(value.randomness, 32),
    digits,
  })
  if (!stored) return SOON_MS
  log.info({ ...named(round), digits: digits.join('') }, 'drawn')
  deps.onStep?.(round.gameId)
  return advance(deps, { ...round, state: 'drawn' }, signal)
}

async function beaconValue(
  { beacon, log, now }: EngineDeps,
  round: Round,
  signal: AbortSignal,
): Promise<BeaconValue | null> {
  if (round.beaconChainHash !== beacon.info.chainHash) {
    const facts = {
      ...named(round),
      announced: round.beaconChainHash,
      configured: beacon.info.chainHash,
    }
    occasionalError(
      log,
      { about: `beacon ${round.gameId} ${round.issue}`, now: now(), facts },
      'the round announced another beacon than the one configured',
    )
    return null
  }
  const asked = beacon.fetchRound(round.beaconRound, signal).catch((error: unknown) => {
    if (!(error instanceof BeaconError)) throw error
    log.debug({ ...named(round), failure: error.failure }, 'no beacon value yet')
    return null
  })
  // Who is asked goes on looking: the next turn finds what came meanwhile.
  asked.catch(() => {})
  const patience = new AbortController()
  const enough = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null)
  return Promise.race([asked, enough]).finally(() => patience.abort())
}

/**
 * Opens the round that runs now, if it is not there yet, and announces what will decide it; gives
 * the milliseconds until the next one opens.
 */
async function openCurrent(deps: EngineDeps, gameId: number): Promise<number> {
  const { schedule, now } = deps
  const scheduled = roundAt(schedule, now())
  if (scheduled && now() < scheduled.sealsAt) await openScheduled(deps, gameId, scheduled)
  return nextRoundAfter(schedule, now()).opensAt - now()
}

async function openScheduled(
  { db, seeds, beacon, beaconDeadlineMs, log, now, onStep }: EngineDeps,
  gameId: number,
  scheduled: ScheduledRound,
): Promise<void> {
  const there = await roundByIssue(db, { gameId, issue: scheduled.issue })
  if (there) {
    if (there.drawsAt !== scheduled.drawsAt) {
      const { issue } = scheduled
      occasionalError(
        log,
        { about: `time ${gameId} ${issue}`, now: now(), facts: { gameId, issue } },
        'this round was held at another time: ROUND_SECONDS or OPENING_HOURS were changed within a game day',
      )
    }
    return
  }
  const chain = await seeds.chainInUse(gameId)
  const opened = await openRound(db, gameId, scheduled, {
    chainId: chain.id,
    beacon: { ...beacon.info, round: beaconRoundAt(beacon.info, scheduled.drawsAt) },
    voidsAt: scheduled.drawsAt + beaconDeadlineMs,
  })
  if (!opened) return
  log.info({ gameId, issue: scheduled.issue }, 'opened')
  onStep?.(gameId)
}

function named({ gameId, issue }: Round): { gameId: number; issue: string } {
  return { gameId, issue }
}
