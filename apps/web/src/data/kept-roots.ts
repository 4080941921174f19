/** The roots of closed books as this device saw them at the seal, so that a book that is shown later can be compared. */
import { deviceStorage } from '@sum28/ui/storage.ts'

const NAME = 'sum28-book-roots'

/** The last rounds that are kept: those of a day of all games. */
const KEPT_MAX = 1_200

type SealedRound = { gameId: number; issue: string; bookRoot: string | null }

/** Keeps the root of each round that is sealed. What was seen first stays. */
export function keepRoots(rounds: readonly SealedRound[]): void {
  const sealed = rounds.filter(({ bookRoot }) => bookRoot !== null)
  if (sealed.length === 0) return
  const kept = readRoots()
  const added = sealed.filter(({ gameId, issue }) => !kept.has(`${gameId} ${issue}`))
  if (added.length === 0) return
  for (const { gameId, issue, bookRoot } of added) kept.set(`${gameId} ${issue}`, bookRoot ?? '')
  const last = [...kept].slice(-KEPT_MAX)
  try {
    deviceStorage().setItem(NAME, JSON.stringify(last))
  } catch {
    // There is no room on the device: then nothing is compared later.
  }
}

/** The root that this device saw at the seal of a round; null if it saw none. */
export function keptRoot({ gameId, issue }: { gameId: number; issue: string }): string | null {
  return readRoots().get(`${gameId} ${issue}`) ?? null
}

function readRoots(): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(deviceStorage().getItem(NAME) ?? '[]')
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

function isEntry(entry: unknown): entry is [string, string] {
  return (
    Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string')
  )
}
