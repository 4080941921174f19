import { gameDayOfIssue } from '@sum28/domain/issues.ts'
import { type Day, isDay } from '@sum28/domain/schedule.ts'
import type { Game } from '#src/data/games.ts'
import { FIRST_DAY } from '#src/i18n/days.ts'

/** The game with this number, or undefined. */
export function requestedGame<G extends Pick<Game, 'id'>>(
  games: readonly G[],
  gameId: string | undefined,
): G | undefined {
  return games.find(({ id }) => String(id) === gameId)
}

/** A day from an address, or null if it is no day from {@link FIRST_DAY} to today. */
export function requestedDay(text: string | undefined, today: Day): Day | null {
  // Days in this form sort as text.
  return text && isDay(text) && text >= FIRST_DAY && text <= today ? text : null
}

/**
 * The present game day, which after midnight is still yesterday's; between two days it is the day of
 * the last draw.
 *
 * @param today the operator's calendar day
 */
export function currentGameDay(game: Pick<Game, 'roundId' | 'lastRoundId'>, today: Day): Day {
  const roundId = game.roundId || game.lastRoundId
  return roundId ? gameDayOfIssue(roundId) : today
}
