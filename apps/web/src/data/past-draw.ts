/** A round that is over, and lists of such, newest first. */
import type { IssueResult } from '@sum28/contract/replies.ts'
import { compareIssues, gameDayOfIssue } from '@sum28/domain/issues.ts'
import type { Day } from '@sum28/domain/schedule.ts'
import { type Draw, drawFromWire } from '#src/data/draw.ts'

export type PastDraw = Draw & {
  /** When it was drawn or voided, in milliseconds since 1970. */
  readonly drawnAt: number
}

export function pastDrawFromWire(result: IssueResult): PastDraw {
  return { ...drawFromWire(result), drawnAt: result.drawn_at * 1_000 }
}

/** How many rounds are asked for where only what is new is wanted. */
export const LATEST_COUNT = 20

/**
 * A list with the latest rounds added: the very same list where it has them all, and null where
 * there may be rounds between the two, so that the list has to be loaded anew.
 *
 * @param known newest first; one game day's where `day` is given, else all from some round on
 * @param latest newest first; the {@link LATEST_COUNT} latest, or all where there are fewer
 */
export function withLatest(
  known: readonly PastDraw[],
  latest: readonly PastDraw[],
  day: Day | null,
): readonly PastDraw[] | null {
  const wanted = latest.filter(({ issue }) => day === null || gameDayOfIssue(issue) === day)
  const issues = new Set(known.map(({ issue }) => issue))
  const news = wanted.filter(({ issue }) => !issues.has(issue))
  if (news.length === 0) return known
  const touching = news.length < wanted.length
  if (!touching && wanted.length >= LATEST_COUNT) return null
  return [...known, ...news].sort((one, other) => compareIssues(other.issue, one.issue))
}

/** Draws in their order, cut where the game day changes: after midnight it has not yet. */
export function byGameDay(
  draws: readonly PastDraw[],
): readonly { day: Day; draws: readonly PastDraw[] }[] {
  const groups: { day: Day; draws: PastDraw[] }[] = []
  for (const draw of draws) {
    const day = gameDayOfIssue(draw.issue)
    const last = groups.at(-1)
    if (last?.day === day) last.draws.push(draw)
    else groups.push({ day, draws: [draw] })
  }
  return groups
}
