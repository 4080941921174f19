/**
 * Reads of results that many make alike: those who ask in the same moment share one, and what was
 * read of a day that is over is kept, for nothing of it changes any more.
 */
import { addDays, dayOf } from '@sum28/domain/schedule.ts'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { hasRoundsToCome } from './round-store.ts'

/** The most lists that are kept; the one that was asked for longest ago goes first. */
const KEPT_MAX = 200

export type ResultCache = <Value>(
  /** What is read; `key` tells apart all that may differ beside game and day. */
  what: { gameId: number; day: string | null; key: string },
  read: () => Promise<Value>,
) => Promise<Value>

export function resultCache(deps: {
  db: Queryable
  timeZone: string
  now: () => number
}): ResultCache {
  const known = new LRUCache<string, Promise<unknown>>({ max: KEPT_MAX })

  /** Whether a game day is over, with each of its rounds drawn or voided. */
  async function isOver(gameId: number, day: string | null): Promise<boolean> {
    // A game day ends before the calendar day after it does.
    if (day === null || day >= addDays(dayOf(deps.timeZone, deps.now()), -1)) return false
    return !(await hasRoundsToCome(deps.db, { gameId, day }))
  }

  return function share<Value>(
    { gameId, day, key }: { gameId: number; day: string | null; key: string },
    read: () => Promise<Value>,
  ): Promise<Value> {
    const name = `${gameId} ${day} ${key}`
    const shared = known.get(name) as Promise<Value> | undefined
    if (shared) return shared
    const reading = begin(name, gameId, day, read)
    known.set(name, reading)
    return reading
  }

  function begin<Value>(
    name: string,
    gameId: number,
    day: string | null,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const forget = () => {
      if (known.peek(name) === reading) known.delete(name)
    }
    // Whether the day is over is asked first: what is read afterwards is then the whole of it.
    const reading: Promise<Value> = isOver(gameId, day)
      .then(async (over) => {
        const value = await read()
        if (!over) forget()
        return value
      })
      .catch((error: unknown) => {
        forget()
        throw error
      })
    return reading
  }
}
