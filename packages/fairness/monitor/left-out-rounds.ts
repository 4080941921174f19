/**
 * Which rounds a log leaves out, by the numbers and times of those that it announces. The log does not state a house's
 * hours: between two days a game is held against its own night before, and against the other games of the house, which
 * have the same hours. What is found says that nothing was announced, not why: it may be an outage.
 */
import { placeOfIssue } from '../src/issue-order.ts'

/** An announced round; times in unix seconds. */
export type Announced = {
  readonly game: string
  readonly issue: string
  readonly opens: number
  readonly draws: number
}

/** Between two days of a game that follow one another. */
type Night = {
  /** From the last draw of the earlier day to the opening of the later one. */
  readonly seconds: number
  /** The number of the earlier day's last round. */
  readonly rounds: number
}

type Game = {
  readonly newest: Announced
  readonly night: Night | null
  /** When another game's round ended that opened after this game's newest one: the first such; null if there is none. */
  missed: number | null
}

const DAY_MS = 86_400_000

/** How much longer a night is in which the clock is put back. */
const CLOCK_BACK_S = 3_600

/** How much longer other games may announce rounds than a game that has none of their time. */
const SILENT_MAX_S = 600

export function leftOutRounds() {
  const games = new Map<string, Game>()

  return {
    /** @returns sentences about what is left out between the game's round before and this one */
    add(round: Announced): string[] {
      for (const [game, each] of games) {
        if (game !== round.game && round.opens >= each.newest.draws) each.missed ??= round.draws
      }
      const before = games.get(round.game)
      const { sentences, night } = before ? between(before, round) : { sentences: [], night: null }
      games.set(round.game, { newest: round, night, missed: null })
      return sentences
    },
    /** Sentences about games that announce nothing while others do. */
    silent(): string[] {
      const latest = Math.max(...[...games.values()].map(({ newest }) => newest.draws))
      return [...games.values()].flatMap(({ newest: { game, issue }, missed }) =>
        missed !== null && latest >= missed + SILENT_MAX_S
          ? [`no round of game ${game} was announced after ${issue}, and other games went on`]
          : [],
      )
    },
    newestIssue: (game: string): string | undefined => games.get(game)?.newest.issue,
    games: () => [...games.keys()].map(Number),
  }
}

/** What is left out between two rounds of a game; and the night between them, or the one before. */
function between(
  { newest: last, night }: Game,
  next: Announced,
): { sentences: string[]; night: Night | null } {
  const [before, after] = [placeOfIssue(last.issue), placeOfIssue(next.issue)]
  if (!before || !after) return { sentences: [], night }
  const game = `of game ${next.game}`
  const sentences: string[] = []
  const isSameDay = before.day === after.day
  const first = isSameDay ? before.number + 1 : 1
  if (first < after.number) {
    const [from, to] = [first, after.number - 1].map(
      (number) => after.day + String(number).padStart(3, '0'),
    )
    const rounds = from === to ? `round ${from} ${game} was` : `rounds ${from}–${to} ${game} were`
    sentences.push(`${rounds} never announced`)
  }
  const isNight = isNextDay(before.day, after.day)
  if (!isSameDay && !isNight)
    sentences.push(
      `no round ${game} was announced on the days between ${before.day} and ${after.day}`,
    )
  // What their numbers do not tell: the time that no round between them fills.
  const seconds = next.opens - (after.number - first) * (next.draws - next.opens) - last.draws
  const usual = isSameDay ? 0 : isNight && night ? longest(night, before.number) : null
  // A rest that is too short for a round is none.
  if (usual !== null && seconds >= usual + last.draws - last.opens) {
    const [from, to] = [last.draws, next.opens].map((at) => new Date(at * 1_000).toISOString())
    const why = isSameDay ? 'although their numbers follow' : 'longer than in the night before'
    sentences.push(`no round ${game} was announced from ${from} to ${to}, ${why}`)
  }
  return { sentences, night: isNight ? { seconds, rounds: before.number } : night }
}

/** How long a night may be after one of the game. An hour more if the day was not shorter: clocks are put back at night. */
function longest({ seconds, rounds }: Night, played: number): number {
  return played < rounds ? seconds : seconds + CLOCK_BACK_S
}

/** @param day YYYYMMDD */
function isNextDay(day: string, later: string): boolean {
  const [from = Number.NaN, to = Number.NaN] = [day, later].map((each) =>
    Date.parse(each.replace(/^(....)(..)(..)$/, '$1-$2-$3T00:00:00Z')),
  )
  return to - from === DAY_MS
}
