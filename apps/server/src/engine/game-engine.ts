/**
 * Drives the rounds of one game by the calendar: opens the present round, seals, draws, settles, voids, refunds, and
 * publishes the seeds of voided rounds. It keeps no state that matters: each step asks the database what is due, so
 * an engine that was stopped or killed at any point continues from the stored state and repeats nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  dayOf,
  nextRoundAfter,
  roundAt,
  type ScheduledRound,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'
import { type BeaconValue, beaconRoundAt } from '@sum28/fairness/beacon.ts'
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { fromHex } from '@sum28/fairness/hex.ts'
import { type Beacon, BeaconError } from '#src/adapters/beacon/beacon.ts'
import type { Database } from '#src/db/database.ts'
import { extendBook, sealRound, settlementPace, settleRound } from '#src/modules/bets/round-bets.ts'
import type { Seeds } from '#src/modules/fairness/seeds.ts'
import {
  openRound,
  publishSeed,
  type Round,
  type RoundToPublish,
  roundByIssue,
  roundsToPublish,
  storeDraw,
  storeValue,
  unfinishedRounds,
  type VoidReason,
  voidRound,
} from '#src/modules/rounds/round-store.ts'
import type { Log } from '#src/process/log.ts'
import { occasionally } from '#src/process/log.ts'

export type EngineDeps = {
  /** For steps with a deadline: opening, sealing, drawing. */
  db: Database
  /** For long steps, so that they take no connection from the others: settling, refunding. */
  slowDb: Database
  schedule: ScheduleRules
  beacon: Beacon
  /** How long to wait for a beacon's value, for rounds that are opened now; an open round keeps its own time. */
  beaconDeadlineMs: number
  seeds: Seeds
  now: () => number
  log: Log
  /** How long a step waits for the beacon's hosts; half a second by default. */
  patienceMs?: number
  /** Called after each step of a game's rounds. */
  roundChanged: (gameId: number) => void
  /** Called with the time between a round's end and its stored draw, in milliseconds. */
  onDrawn?: (delayMs: number) => void
  /** Called for each round that is voided. */
  onVoided?: () => void
}

/** How long a step waits for the beacon's hosts by default; the beacon continues to ask them. */
const PATIENCE_MS = 500

/** The pause before the next check while something is awaited, such as the beacon's value. */
const SOON_MS = 250

/** The longest pause: after it, a changed schedule or a clock that jumped is noticed. */
const SLEEP_MAX_MS = 1_000

/** How often to check for seeds of voided rounds to publish; nothing else waits for it. */
const PUBLISH_EVERY_MS = 5_000

/** Bets added to the book in one statement: it takes some hundredths of a second. */
const BOOK_PART = 5_000

export type GameDriver = {
  /**
   * Starts every step that is due and not running. No step waits for another: a slow step delays no other round, and
   * not the next turn.
   *
   * @returns for each step, a promise of the milliseconds until something is due again after it
   * @throws if reading what is due fails
   */
  turn(signal: AbortSignal): Promise<Promise<number>[]>
  /** Resolves when every running step has ended. */
  idle(): Promise<void>
}

export function gameDriver(deps: EngineDeps, gameId: number): GameDriver {
  const underWay = new Map<string, Promise<number>>()
  let publishAt = 0

  function begin(name: string, step: () => Promise<number>): Promise<number> {
    const before = underWay.get(name)
    if (before) return before
    const begun = step().finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }

  return {
    async turn(signal) {
      const rounds = await unfinishedRounds(deps.db, gameId)
      if (signal.aborted) return []
      return [
        ...rounds.map((round) => begin(round.issue, () => advance(deps, round, signal))),
        begin('open', () => openCurrent(deps, gameId)),
        begin('publish', publish),
      ]

      async function publish(): Promise<number> {
        // Also after the clock was set back.
        const due = publishAt - deps.now()
        if (due > 0 && due <= PUBLISH_EVERY_MS) return due
        publishAt = deps.now() + PUBLISH_EVERY_MS
        await publishVoided(deps, gameId, signal)
        return PUBLISH_EVERY_MS
      }
    },
    async idle() {
      await Promise.allSettled(underWay.values())
    },
  }
}

/** The least result of the steps, at most a second; throws the error of the first step that failed. */
export function soonest(steps: readonly PromiseSettledResult<number>[]): number {
  const waits = steps.map((step) => {
    if (step.status === 'rejected') throw step.reason
    return step.value
  })
  return Math.max(0, Math.min(...waits, SLEEP_MAX_MS))
}

/** Advances one round as far as possible now; returns the milliseconds until it can advance further. */
async function advance(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, slowDb, now, log } = deps
  if (round.state === 'open') {
    if (now() >= round.drawsAt) return voided(deps, round, 'sealed_late', signal)
    // The book grows with the bets, so that little work is left at the seal.
    while ((await extendBook(db, round, BOOK_PART)) === BOOK_PART && !signal.aborted);
    const wait = round.sealsAt - now()
    if (wait > 0) return wait
    // Refused if another process was first, or if it has just become too late.
    if (!(await sealRound(db, round))) return SOON_MS
    log.info({ ...named(round) }, 'sealed')
    deps.roundChanged(round.gameId)
    return Math.max(0, round.drawsAt - now())
  }
  if (round.state === 'sealed') return draw(deps, round, signal)
  if (round.state === 'drawn' || round.state === 'voided') {
    const onDay = dayOf(deps.schedule.timeZone, now())
    const bets = await settleRound(slowDb, round, onDay, settlementPace(slowDb, signal))
    if (round.state === 'drawn') log.info({ ...named(round), bets }, 'settled')
    else log.warn({ ...named(round), bets }, 'refunded')
    deps.roundChanged(round.gameId)
  }
  return SLEEP_MAX_MS
}

async function voided(
  deps: EngineDeps,
  round: Round,
  reason: VoidReason,
  signal: AbortSignal,
): Promise<number> {
  if (!(await voidRound(deps.db, round, reason))) return SOON_MS
  deps.onVoided?.()
  deps.log.error({ ...named(round), reason }, 'voided: it could not be drawn in time')
  deps.roundChanged(round.gameId)
  return advance(deps, { ...round, state: 'voided' }, signal)
}

/**
 * Draws a round from its seed and its beacon value. Once the value is stored, the round can only be drawn. So
 * it is fetched only once the seed is there. If no value is stored by its deadline, the round is voided.
 */
async function draw(deps: EngineDeps, round: Round, signal: AbortSignal): Promise<number> {
  const { db, now, log, seeds } = deps
  const wait = round.drawsAt - now()
  if (wait > 0) return wait
  // The round's own deadline, announced when it was opened; the present setting does not apply.
  if (!round.value && now() >= round.voidsAt) return voided(deps, round, 'beacon_late', signal)

  const seed = await seeds.seedOf(round.chainId, round.chainIndex)
  const value = round.value ?? (await storedValue(deps, round, signal))
  if (!value) return SOON_MS
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
  deps.onDrawn?.(now() - round.drawsAt)
  log.info({ ...named(round), digits: digits.join('') }, 'drawn')
  deps.roundChanged(round.gameId)
  return advance(deps, { ...round, state: 'drawn' }, signal)
}

/** The value that {@link beaconValue} finds, once it is stored; null if it is not. */
async function storedValue(
  deps: EngineDeps,
  round: AnnouncedRound,
  signal: AbortSignal,
): Promise<BeaconValue | null> {
  const value = await beaconValue(deps, round, signal)
  if (!value) return null
  const stored = await storeValue(deps.db, round, {
    signature: fromHex(value.signature, 48),
    randomness: fromHex(value.randomness, 32),
  })
  return stored ? value : null
}

/** A round with the beacon and the beacon's round that it announced. */
type AnnouncedRound = Pick<Round, 'gameId' | 'issue' | 'beaconChainHash' | 'beaconRound'>

/**
 * The verified value of the beacon round that a round announced, or null: it does not exist yet, no host returns it
 * now, or the round announced another beacon than the configured one.
 */
async function beaconValue(
  { beacon, log, now, patienceMs = PATIENCE_MS }: EngineDeps,
  round: AnnouncedRound,
  signal: AbortSignal,
): Promise<BeaconValue | null> {
  const { gameId, issue } = round
  if (round.beaconChainHash !== beacon.info.chainHash) {
    const facts = {
      gameId,
      issue,
      announced: round.beaconChainHash,
      configured: beacon.info.chainHash,
    }
    occasionally(
      log,
      { about: `beacon ${gameId} ${issue}`, now: now(), facts },
      'the round announced another beacon than the one configured',
    )
    return null
  }
  const fetched = beacon.fetchRound(round.beaconRound, signal).catch((error: unknown) => {
    if (!(error instanceof BeaconError)) throw error
    log.debug({ gameId, issue, failure: error.failure }, 'no beacon value yet')
    return null
  })
  // The beacon continues to ask its hosts: if the value arrives meanwhile, the next turn finds it.
  fetched.catch(() => {})
  const patience = new AbortController()
  const enough = sleep(patienceMs, null, { signal: patience.signal }).catch(() => null)
  return Promise.race([fetched, enough]).finally(() => patience.abort())
}

/**
 * Publishes the seeds of voided rounds, each of which proves that it was the committed one, and the beacon's values
 * that arrived after all. From both anybody can compute the digits that would have been drawn, and so see who profited
 * from the void. A round that cannot be published, for example because its key is missing, delays no other.
 */
async function publishVoided(deps: EngineDeps, gameId: number, signal: AbortSignal): Promise<void> {
  for (const round of await roundsToPublish(deps.db, gameId)) {
    if (signal.aborted) return
    try {
      await publish(deps, round, signal)
    } catch (error) {
      const { issue } = round
      const facts = { gameId, issue, error: error instanceof Error ? error.message : error }
      const about = `publish ${gameId} ${issue}`
      occasionally(
        deps.log,
        { about, now: deps.now(), facts },
        'a voided round could not be published',
      )
    }
  }
}

async function publish(
  deps: EngineDeps,
  round: RoundToPublish,
  signal: AbortSignal,
): Promise<void> {
  const { db, seeds } = deps
  // First what needs no key.
  if (round.valueDue) await storedValue(deps, round, signal)
  if (round.seedDue) {
    const seed = await seeds.seedOf(round.chainId, round.chainIndex)
    await publishSeed(db, round, fromHex(seed, 32))
  }
}

/**
 * Opens the present round, if it does not exist yet, and announces what will decide it; returns the milliseconds
 * until the next one opens.
 */
async function openCurrent(deps: EngineDeps, gameId: number): Promise<number> {
  const { schedule, now } = deps
  const scheduled = roundAt(schedule, now())
  if (scheduled && now() < scheduled.sealsAt) await openScheduled(deps, gameId, scheduled)
  return nextRoundAfter(schedule, now()).opensAt - now()
}

async function openScheduled(
  { db, seeds, beacon, beaconDeadlineMs, log, now, roundChanged }: EngineDeps,
  gameId: number,
  scheduled: ScheduledRound,
): Promise<void> {
  const existing = await roundByIssue(db, { gameId, issue: scheduled.issue })
  if (existing) {
    if (existing.drawsAt !== scheduled.drawsAt) {
      const { issue } = scheduled
      occasionally(
        log,
        { about: `time ${gameId} ${issue}`, now: now(), facts: { gameId, issue } },
        'this round was held at another time: ROUND_SECONDS or OPENING_HOURS were changed within a game day',
      )
    }
    return
  }
  const chain = await seeds.chainInUse(gameId)
  // No stake is taken on a round that nobody can draw.
  await seeds.seedOf(chain.id, chain.used + 1)
  const opened = await openRound(db, gameId, scheduled, {
    chainId: chain.id,
    beacon: { ...beacon.info, round: beaconRoundAt(beacon.info, scheduled.drawsAt) },
    voidsAt: scheduled.drawsAt + beaconDeadlineMs,
  })
  if (!opened) return
  log.info({ gameId, issue: scheduled.issue }, 'opened')
  roundChanged(gameId)
}

function named({ gameId, issue }: Round): { gameId: number; issue: string } {
  return { gameId, issue }
}
