/** Which game and which day an address asks for. */
import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { type Day, isDay } from '@sum28/domain/schedule.ts'
import { FIRST_DAY } from '@sum28/ui/day-span.ts'
import type { Game } from '#src/data/games.ts'

/** The game with this number, or undefined where there is none. */
export function gameAsked<G extends Pick<Game, 'id'>>(
  games: readonly G[],
  gameId: string | null,
): G | undefined {
  return games.find(({ id }) => String(id) === gameId)
}

/** A day from an address, where anybody may have written anything, or null. */
export function dayAsked(text: string | null, today: Day): Day | null {
  // Days in this form sort as text.
  return text && isDay(text) && text >= FIRST_DAY && text <= today ? text : null
}

/**
 * The game day that is on, which after midnight is still yesterday's; while none is, the one of the
 * last draw.
 *
 * @param today the operator's calendar day
 */
export function currentGameDay(game: Pick<Game, 'issue' | 'lastIssue'>, today: Day): Day {
  const issue = game.issue || game.lastIssue
  return issue ? gameDayOfIssue(issue) : today
}

/** What changes as a round of the game ends, and once more when its draw is there. */
export function roundMark({ issue, lastIssue }: Pick<Game, 'issue' | 'lastIssue'>): string {
  return `${issue} ${lastIssue}`
}
