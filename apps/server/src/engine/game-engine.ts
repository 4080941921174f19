/**
 * Drives the rounds of one game by the calendar: opens what runs now, seals, closes the book, draws,
 * settles, voids and refunds. It keeps no state of its own: each step asks the database what is
 * due, so an engine that was away, or killed at any point, goes on where things stand, and what is
 * done already is not done again.
 */

import { dayOf, nextRoundAfter, roundAt, type ScheduleRules } from '@sum28/domain/schedule.ts'
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
  voidRound,
} from '#src/modules/rounds/round-store.ts'
import type { EngineLog } from './engine-log.ts'

export type EngineDeps = {
  db: Database
  schedule: ScheduleRules
  beacon: Beacon
  beaconDeadlineMs: number
  seeds: Seeds
  now: () => number
  log: EngineLog
}

/** How soon to look again while something is waited for, such as the beacon's value. */
const SOON_MS = 250

/** The longest sleep: a schedule that was changed, or a clock that jumped, is noticed by then. */
const SLEEP_MAX_MS = 1_000

/**
 * Does everything that is due in one game.
 *
 * @returns the milliseconds until something is due again
 */
export async function driveGame(
  deps: EngineDeps,
  gameId: number,
  signal: AbortSignal,
): Promise<number> {
  let again = SLEEP_MAX_MS
  for (const round of await unfinishedRounds(deps.db, gameId)) {
    if (signal.aborted) return 0
    again = Math.min(again, await advance(deps, round, signal))
  }
  await openCurrent(deps, gameId)
  return Math.min(again, nextOpening(deps))
}

/** Takes one round as far as it can go now; gives the milliseconds until it can go further. */
async function advance(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, now, log } = deps
  if (round.state === 'open') {
    const wait = round.sealsAt - now()
    if (wait > 0) return wait
    if (!(await sealRound(db, round))) return SOON_MS
    log.info({ ...named(round) }, 'sealed')
    return advance(deps, { ...round, state: 'sealed' }, signal)
  }
  if (round.state === 'sealed') {
    if (!round.bookRoot) {
      const book = await bookOfRound(db, round)
      const root = fromHex(book.root, 32)
      await closeBook(db, round, { root, size: book.size })
      return advance(deps, { ...round, bookRoot: Buffer.from(root) }, signal)
    }
    return draw(deps, round, signal)
  }
  if (round.state === 'drawn') {
    const bets = await settleRound(db, round, dayOf(deps.schedule.timeZone, now()))
    log.info({ ...named(round), bets }, 'settled')
  } else if (round.state === 'voided') {
    const bets = await refundRound(db, round)
    log.warn({ ...named(round), bets }, 'refunded')
  }
  return SLEEP_MAX_MS
}

/** Draws a round from its seed and its beacon value, or voids it once the deadline has passed. */
async function draw(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, now, log, seeds } = deps
  const wait = round.drawsAt - now()
  if (wait > 0) return wait

  if (now() >= round.drawsAt + deps.beaconDeadlineMs) {
    if (!(await voidRound(db, round, 'beacon_late'))) return SOON_MS
    log.error({ ...named(round) }, 'voided: it could not be drawn in time')
    return advance(deps, { ...round, state: 'voided' }, signal)
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
  return advance(deps, { ...round, state: 'drawn' }, signal)
}

async function beaconValue(
  { beacon, log }: EngineDeps,
  round: Round,
  signal: AbortSignal,
): Promise<BeaconValue | null> {
  if (round.beaconChainHash !== beacon.info.chainHash) {
    log.error({ ...named(round) }, 'the round announced another beacon than the one configured')
    return null
  }
  try {
    return await beacon.fetchRound(round.beaconRound, signal)
  } catch (error) {
    if (!(error instanceof BeaconError)) throw error
    log.debug({ ...named(round), failure: error.failure }, 'no beacon value yet')
    return null
  }
}

/** Opens the round that runs now, if it is not there yet, and announces what will decide it. */
async function openCurrent(deps: EngineDeps, gameId: number): Promise<void> {
  const { db, schedule, seeds, beacon, now, log } = deps
  const scheduled = roundAt(schedule, now())
  if (!scheduled || now() >= scheduled.sealsAt) return
  const there = await roundByIssue(db, { gameId, issue: scheduled.issue })
  if (there) {
    if (there.drawsAt !== scheduled.drawsAt) {
      log.error(
        { gameId, issue: scheduled.issue },
        'this round was held at another time: ROUND_SECONDS or OPENING_HOURS were changed within a game day',
      )
    }
    return
  }
  const chain = await seeds.chainInUse(gameId)
  const opened = await openRound(db, gameId, scheduled, {
    chainId: chain.id,
    beacon: { ...beacon.info, round: beaconRoundAt(beacon.info, scheduled.drawsAt) },
  })
  if (opened) log.info({ gameId, issue: scheduled.issue }, 'opened')
}

function nextOpening({ schedule, now }: EngineDeps): number {
  return Math.max(0, nextRoundAfter(schedule, now()).opensAt - now())
}

function named({ gameId, issue }: Round): { gameId: number; issue: string } {
  return { gameId, issue }
}
