/**
 * What a game's rooms show to everybody: the running round, the last results, and the feed. Kept in
 * memory and read anew when it is older than a moment, by one reader for all who ask.
 */
import { roundAt, type ScheduledRound, type ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type Bet, feedOfRoom } from '#src/modules/bets/bet-store.ts'
import {
  type Result,
  type RoundState,
  resultsOf,
  roundByIssue,
} from '#src/modules/rounds/round-store.ts'

/** How old a board may be when it is shown. */
const FRESH_MS = 200

/** Feed entries kept of a room: what one heartbeat may carry. */
const FEED_MAX = 300

/** Feed entries that a client gets who has seen none. */
const FEED_FIRST = 50

export type GameBoard = {
  /** By the calendar; null outside opening hours. */
  readonly scheduled: ScheduledRound | null
  /** Null while the round is not open yet, or there is none. */
  readonly state: RoundState | null
  /** The last two results, newest first. */
  readonly results: readonly Result[]
}

export type Board = {
  game(gameId: number): Promise<GameBoard>
  /** Entries after one already seen, oldest first, at most 300; without one the latest 50. */
  feed(roomId: number, after: number | null): Promise<readonly Bet[]>
  /** Something changed there: whoever asks next gets what was read after this. */
  changed(news: { topic: 'room' | 'game'; id: number }): void
}

export function roomBoard(deps: {
  db: Queryable
  schedule: ScheduleRules
  now: () => number
}): Board {
  const { db, schedule, now } = deps
  const games = new Map<number, Remembered<GameBoard>>()
  const feeds = new Map<number, Feed>()

  async function readGame(gameId: number): Promise<GameBoard> {
    const scheduled = roundAt(schedule, now())
    const [round, results] = await Promise.all([
      scheduled ? roundByIssue(db, { gameId, issue: scheduled.issue }) : undefined,
      resultsOf(db, { gameId, day: null, limit: 2, offset: 0 }),
    ])
    return { scheduled, state: round?.state ?? null, results }
  }

  function feedOf(roomId: number): Feed {
    const known = feeds.get(roomId)
    if (known) return known
    const feed: Feed = { entries: [], refresh: remembered(() => readFeed(feed, roomId), now) }
    feeds.set(roomId, feed)
    return feed
  }

  async function readFeed(feed: Feed, roomId: number): Promise<void> {
    const last = feed.entries.at(-1)
    const after = last ? Number(last.id) : null
    const news = await feedOfRoom(db, { roomId, after, limit: FEED_MAX })
    // Another reading may have been quicker: what it has brought is not brought again.
    const known = feed.entries.at(-1)?.id ?? -1n
    feed.entries = [...feed.entries, ...news.filter(({ id }) => id > known)].slice(-FEED_MAX)
  }

  return {
    game(gameId) {
      let reading = games.get(gameId)
      if (!reading) {
        reading = remembered(() => readGame(gameId), now)
        games.set(gameId, reading)
      }
      return reading.value()
    },
    async feed(roomId, after) {
      const feed = feedOf(roomId)
      await feed.refresh.value()
      if (after === null) return feed.entries.slice(-FEED_FIRST)
      return feed.entries.filter(({ id }) => id > BigInt(after))
    },
    changed({ topic, id }) {
      if (topic === 'game') games.get(id)?.forget()
      else feeds.get(id)?.refresh.forget()
    },
  }
}

type Remembered<Value> = { value(): Promise<Value>; forget(): void }

type Feed = { entries: Bet[]; refresh: Remembered<void> }

/** Reads at most once in a moment, whoever asks; a failed read is made again at the next asking. */
function remembered<Value>(read: () => Promise<Value>, now: () => number): Remembered<Value> {
  let latest: { at: number; value: Promise<Value> } | null = null
  return {
    value() {
      const at = now()
      if (!latest || at - latest.at >= FRESH_MS || at < latest.at) {
        const reading = { at, value: read() }
        latest = reading
        reading.value.catch(() => {
          if (latest === reading) latest = null
        })
      }
      return latest.value
    },
    forget() {
      latest = null
    },
  }
}
