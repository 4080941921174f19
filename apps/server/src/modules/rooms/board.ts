/**
 * What a game's rooms show to everybody: the running round, the last results, and the feed. Cached in memory; when it
 * is stale, one read renews it for all callers.
 */
import { roundAt, type ScheduledRound, type ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type FreshRead, readFresh } from '#src/db/shared-reads.ts'
import { type Bet, feedOfRoom } from '#src/modules/bets/bet-store.ts'
import {
  latestResults,
  type Result,
  type RoundState,
  roundByIssue,
} from '#src/modules/rounds/round-store.ts'

/** The greatest age of a board when it is shown. */
const FRESH_MS = 200

/** Feed entries cached for a room: the most that one heartbeat may carry. */
const FEED_MAX = 300

/** Feed entries that a client gets at first. */
const FEED_FIRST = 50

export type GameBoard = {
  /** According to the calendar; null outside opening hours. */
  readonly scheduled: ScheduledRound | null
  /** Null while the round is not open yet, or there is none. */
  readonly state: RoundState | null
  /** The last two results, newest first. */
  readonly results: readonly Result[]
}

export type Board = {
  game(gameId: number): Promise<GameBoard>
  /** Entries after a given one, oldest first, at most 300; without one the latest 50. */
  feed(roomId: number, after: number | null): Promise<readonly Bet[]>
  /** Invalidates the cache of the game: the next caller gets data that is read after this moment. */
  roundChanged(gameId: number): void
  /** The same for the feed of a room. */
  betsPlaced(roomId: number): void
}

export function roomBoard(deps: {
  db: Queryable
  schedule: ScheduleRules
  now: () => number
}): Board {
  const { db, schedule, now } = deps
  const freshness = { freshMs: FRESH_MS, now }
  const games = new Map<number, FreshRead<GameBoard>>()
  const feeds = new Map<number, Feed>()

  async function readGame(gameId: number): Promise<GameBoard> {
    const scheduled = roundAt(schedule, now())
    const [round, results] = await Promise.all([
      scheduled ? roundByIssue(db, { gameId, issue: scheduled.issue }) : undefined,
      latestResults(db, gameId),
    ])
    return { scheduled, state: round?.state ?? null, results }
  }

  function feedOf(roomId: number): Feed {
    const existing = feeds.get(roomId)
    if (existing) return existing
    const feed: Feed = { entries: [], refresh: readFresh(() => readFeed(feed, roomId), freshness) }
    feeds.set(roomId, feed)
    return feed
  }

  async function readFeed(feed: Feed, roomId: number): Promise<void> {
    const last = feed.entries.at(-1)
    const after = last ? Number(last.id) : null
    const later = await feedOfRoom(db, { roomId, after, limit: FEED_MAX })
    // Another read may have been faster: entries that it has added are not added again.
    const lastId = feed.entries.at(-1)?.id ?? -1n
    feed.entries = [...feed.entries, ...later.filter(({ id }) => id > lastId)].slice(-FEED_MAX)
  }

  return {
    game(gameId) {
      let reading = games.get(gameId)
      if (!reading) {
        reading = readFresh(() => readGame(gameId), freshness)
        games.set(gameId, reading)
      }
      return reading.value()
    },
    async feed(roomId, after) {
      const feed = feedOf(roomId)
      await feed.refresh.value()
      if (after === null) return feed.entries.slice(-FEED_FIRST)
      return feed.entries.slice(1 + feed.entries.findLastIndex(({ id }) => id <= after))
    },
    roundChanged(gameId) {
      games.get(gameId)?.forget()
    },
    betsPlaced(roomId) {
      feeds.get(roomId)?.refresh.forget()
    },
  }
}

type Feed = { entries: Bet[]; refresh: FreshRead<void> }
