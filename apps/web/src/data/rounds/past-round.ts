import type { IssueResult } from '@sum28/contract/replies.ts'
import type { Digits } from '@sum28/domain/digits.ts'
import { compareIssues, gameDayOfIssue } from '@sum28/domain/issues.ts'
import type { Day } from '@sum28/domain/schedule.ts'

/** The latest rounds of a game, without a gap between them. */
export type LatestRounds = {
  /** Newest first. */
  readonly rounds: readonly PastRound[]
  /** Whether they reach back to the game's first round. */
  readonly fromFirst: boolean
}

/** How many of the latest rounds one request asks for. */
export const LATEST_COUNT = 60

/** How many of the latest rounds are kept: more than two days of them. */
const KEPT_COUNT = 1_000

/** How many rounds before the last one a room shows. */
const EARLIER_COUNT = 4

export type PastRound = ReturnType<typeof pastRoundFromWire>

export function pastRoundFromWire(result: IssueResult) {
  const { site_1, site_2, site_3 } = result
  const drawn = site_1 !== null && site_2 !== null && site_3 !== null
  const digits: Digits | null = drawn ? [site_1, site_2, site_3] : null
  return {
    roundId: result.issue,
    /** Null for a round that was voided. */
    digits,
    /** Long or short, then odd or even; empty for a voided round. */
    labels: drawn ? result.base : [],
    voided: result.status === 'voided',
    /** When it was drawn or voided, in milliseconds since 1970. */
    drawnAt: result.drawn_at * 1_000,
    /** Whether a witness saw its book before the beacon's number existed; null if it has no book. */
    witnessed: result.witnessed,
  }
}

/** @param rounds the reply to a request for {@link LATEST_COUNT} rounds, newest first */
export function latestRounds(rounds: readonly PastRound[]): LatestRounds {
  return { rounds, fromFirst: rounds.length < LATEST_COUNT }
}

/** Whether rounds may be missing between the known ones and a later answer. */
export function hasGap(known: LatestRounds, answer: LatestRounds): boolean {
  return !answer.fromFirst && !overlap(known.rounds, answer.rounds)
}

/**
 * The latest rounds after an answer. Past rounds never change but by {@link withWitness}, so the two are merged; if
 * there is a gap between them, only the answer is kept.
 */
export function withAnswer(known: LatestRounds | undefined, answer: LatestRounds): LatestRounds {
  if (!known || hasGap(known, answer)) return answer
  const fromFirst = known.fromFirst || answer.fromFirst
  return kept({ rounds: union(known.rounds, answer.rounds), fromFirst })
}

/** The latest rounds with those of the stream, which sends each round once. */
export function withStreamed(known: LatestRounds, received: readonly PastRound[]): LatestRounds {
  const rounds = union(known.rounds, received)
  return rounds === known.rounds ? known : kept({ ...known, rounds })
}

/**
 * A list with the latest rounds added. The same list if it has them all, or if rounds may be
 * missing between the two and the list must be fetched again.
 *
 * @param known newest first; one game day's where `day` is given, else all from some round on
 */
export function withLatest(
  known: readonly PastRound[],
  latest: LatestRounds | undefined,
  day: Day | null,
): readonly PastRound[] {
  if (!latest) return known
  const { rounds, fromFirst } = latest
  const wanted = rounds.filter(({ roundId }) => day === null || gameDayOfIssue(roundId) === day)
  const oldest = rounds.at(-1)
  const wholeDay = day !== null && oldest !== undefined && gameDayOfIssue(oldest.roundId) < day
  return fromFirst || wholeDay || overlap(known, wanted) ? union(known, wanted) : known
}

/** The rounds that a room shows below its last one. */
export function roundsBefore(
  { rounds }: Pick<LatestRounds, 'rounds'>,
  roundId: string,
): readonly PastRound[] {
  return rounds.filter((round) => compareIssues(round.roundId, roundId) < 0).slice(0, EARLIER_COUNT)
}

function overlap(some: readonly PastRound[], others: readonly PastRound[]): boolean {
  const roundIds = new Set(some.map(({ roundId }) => roundId))
  return others.some(({ roundId }) => roundIds.has(roundId))
}

/** All rounds of two lists, each once; the first list itself if the other has no news. */
function union(known: readonly PastRound[], others: readonly PastRound[]): readonly PastRound[] {
  const rounds = new Map(known.map((round) => [round.roundId, round]))
  let isSame = true
  for (const received of others) {
    const before = rounds.get(received.roundId)
    const after = before ? withWitness(before, received) : received
    if (after === before) continue
    rounds.set(after.roundId, after)
    isSame = false
  }
  if (isSame) return known
  return [...rounds.values()].sort((one, other) => compareIssues(other.roundId, one.roundId))
}

/** One of two reports of a round: a signature that came in time may be known only after the draw. */
export function withWitness<Round extends Pick<PastRound, 'witnessed'>>(
  known: Round,
  received: Round,
): Round {
  return known.witnessed === false && received.witnessed ? received : known
}

function kept(latest: LatestRounds): LatestRounds {
  if (latest.rounds.length <= KEPT_COUNT) return latest
  return { rounds: latest.rounds.slice(0, KEPT_COUNT), fromFirst: false }
}
