/** The roots of closed books as this device saw them at the seal, so that a book that is shown later can be compared. */
import { readKept, storeKept } from '#src/data/kept-map.ts'

const NAME = 'sum28-book-roots'

/** The last rounds that are kept: those of a day of all games. */
const KEPT_MAX = 1_200

type Round = { gameId: number; roundId: string }
type SealedRound = Round & { bookRoot: string | null }

/** Keeps the root of each round that is sealed. What was seen first stays. */
export function keepRoots(rounds: readonly SealedRound[]): void {
  const sealed = rounds.filter(({ bookRoot }) => bookRoot !== null)
  if (sealed.length === 0) return
  const kept = readKept<string>(NAME)
  const before = kept.size
  for (const round of sealed) {
    if (!kept.has(nameOf(round))) kept.set(nameOf(round), round.bookRoot ?? '')
  }
  if (kept.size === before) return
  storeKept(NAME, [...kept].slice(-KEPT_MAX))
}

/** The root that this device saw at the seal of a round; null if it saw none. */
export function keptRoot(round: Round): string | null {
  return readKept<string>(NAME).get(nameOf(round)) ?? null
}

function nameOf({ gameId, roundId }: Round): string {
  return `${gameId} ${roundId}`
}
