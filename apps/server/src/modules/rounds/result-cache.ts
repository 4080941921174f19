/**
 * Shared reads of results: simultaneous callers share one read, and results of a finished day are cached, because
 * they do not change any more.
 */
import { addDays, startOfDay } from '@sum28/domain/schedule.ts'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/db/database.ts'
import { hasRoundsToCome } from './round-store.ts'

/** The most cached lists; the least recently used one is dropped first. */
const KEPT_MAX = 200

type ResultRequest = {
  gameId: number
  day: string | null
  /** Distinguishes reads that differ in anything besides game and day. */
  key: string
}

export type ResultCache = <Value>(what: ResultRequest, read: () => Promise<Value>) => Promise<Value>

/** The instant, in milliseconds since 1970, by which a game day is surely over. */
function endOfGameDay(timeZone: string, day: string): number {
  // It ends before the following calendar day does.
  return startOfDay(timeZone, addDays(day, 2))
}

export function resultCache(deps: {
  db: Queryable
  timeZone: string
  now: () => number
}): ResultCache {
  const cached = new LRUCache<string, Promise<unknown>>({ max: KEPT_MAX })

  /** Whether a game day is over, with each of its rounds drawn or voided. */
  async function isOver({ gameId, day }: ResultRequest): Promise<boolean> {
    if (day === null || endOfGameDay(deps.timeZone, day) > deps.now()) return false
    return !(await hasRoundsToCome(deps.db, { gameId, day }))
  }

  return function share<Value>(request: ResultRequest, read: () => Promise<Value>) {
    const name = `${request.gameId} ${request.day} ${request.key}`
    const shared = cached.get(name) as Promise<Value> | undefined
    if (shared) return shared
    const reading = begin(name, request, read)
    cached.set(name, reading)
    return reading
  }

  function begin<Value>(
    name: string,
    request: ResultRequest,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const forget = () => {
      if (cached.peek(name) === reading) cached.delete(name)
    }
    const reading = readInOrder().catch((error: unknown) => {
      forget()
      throw error
    })
    return reading

    // Whether the day is over is read first: the results read afterwards are then complete.
    async function readInOrder(): Promise<Value> {
      const over = await isOver(request)
      const value = await read()
      if (!over) forget()
      return value
    }
  }
}
