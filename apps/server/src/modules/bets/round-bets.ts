/** What the engine does with the bets of a round: adds them to its book, seals, settles. */
import { setTimeout as sleep } from 'node:timers/promises'
import { callFunction, type Queryable } from '#src/db/database.ts'

type Round = { gameId: number; issue: string }

/**
 * Adds bets to a round's book that are not in it yet. @returns how many; fewer than `max` when none are left
 */
export function extendBook(db: Queryable, { gameId, issue }: Round, max: number): Promise<number> {
  return callFunction(db, 'bets.extend_book', gameId, issue, max)
}

/**
 * Ends betting on a round at its seal time and closes its book, in one step; false if it is too early, too late, or
 * already done.
 */
export function sealRound(db: Queryable, { gameId, issue }: Round): Promise<boolean> {
  return callFunction(db, 'bets.seal', gameId, issue)
}

/** Rounds of a game whose seal is overdue by this time, for any process that notices it. */
export function overdueRounds(db: Queryable, gameId: number, byMs: number): Promise<Round[]> {
  return db.query<Round>(
    `select game_id as "gameId", issue::text from rounds.round
     where game_id = $1 and settled_at is null and state = 'open' and draws_at > (select app.now())
       and seals_at <= (select app.now()) - make_interval(secs => $2)`,
    [gameId, byMs / 1000],
  )
}

/** Enough to be fast, few enough not to block others for long. */
const PART = 5_000

export type Pace = {
  /** Bets resolved in one transaction. */
  part: number
  /**
   * Waits between two parts. Rejects when there shall be no more.
   *
   * @param tookMs the duration of the last part
   */
  rest(tookMs: number): Promise<void>
}

const WITHOUT_REST: Pace = { part: PART, rest: async () => {} }

/**
 * Settles every bet of a drawn round, or returns every stake of a voided one in full. It can be stopped at any point: the
 * next call continues with the bets that are left.
 *
 * @param onDay the calendar day, in the operator's time zone, on which profits are booked
 * @returns how many bets were settled now
 * @throws what `pace` rejects with
 */
export function settleRound(
  db: Queryable,
  round: Round,
  onDay: string,
  pace: Pace = WITHOUT_REST,
): Promise<number> {
  return inChunks((max) => settleSome(db, round, { max, onDay }), pace)
}

/** The same for up to this many bets, and the round when none are left. */
export function settleSome(
  db: Queryable,
  { gameId, issue }: Round,
  { max, onDay }: { max: number; onDay: string },
): Promise<number> {
  return callFunction(db, 'bets.settle', gameId, issue, max, onDay)
}

async function inChunks(
  next: (max: number) => Promise<number>,
  { part, rest }: Pace,
): Promise<number> {
  let resolved = 0
  for (;;) {
    const begunAt = performance.now()
    const count = await next(part)
    resolved += count
    if (count < part) return resolved
    await rest(performance.now() - begunAt)
  }
}

/** The database's time for an order: see docs/performance.md. */
const ORDER_MS = 0.2

/**
 * The pace of one round's settlement or refund, which ends with the signal. Between two parts it waits as long as the
 * database needed for the orders that came since the part before, and at most twice as long as the part took, so that a
 * settlement takes at most three times its time.
 */
export function settlementPace(
  db: Queryable,
  signal: AbortSignal,
  { part = PART, wait = sleep as Wait }: { part?: number; wait?: Wait } = {},
): Pace {
  let before: number | null = null
  return {
    part,
    async rest(tookMs) {
      signal.throwIfAborted()
      const last = await lastBetId(db)
      const placed = last - (before ?? last)
      before = last
      await wait(Math.min(2 * tookMs, placed * ORDER_MS), undefined, { signal })
    },
  }
}

type Wait = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>

/** The number that a bet was given last. Numbers rise, with gaps. */
function lastBetId(db: Queryable): Promise<number> {
  return db.value('select last_value::float8 from bets.bet_id')
}
