/**
 * What a game's rooms show to everybody: the running round, the last results, and the feed. Cached in memory; when it
 * is stale, one read renews it for all callers.
 */
import type { GameOnWire, Plan, RunningRoundOnWire } from '@sum28/contract/replies.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import {
  gameDayAt,
  roundAt,
  roundOf,
  roundsInDay,
  type ScheduledRound,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'
import type { Queryable } from '#src/db/database.ts'
import { type FreshRead, readFresh } from '#src/db/shared-reads.ts'
import { feedOfRoom } from '#src/modules/bets/bet-store.ts'
import { type FeedBet, pseudonymOf } from '#src/modules/bets/bet-wire.ts'
import {
  type Catalog,
  gameStatus,
  type PlannedStop,
  type Room,
} from '#src/modules/games/catalog.ts'
import { latestResults, lotteryCode, type Result } from '#src/modules/rounds/results.ts'
import { lastDrawsAt, type RoundState, roundByIssue } from '#src/modules/rounds/round-store.ts'
import { unixSeconds } from '#src/wire-form.ts'

/** The greatest age of a board when it is shown. */
const FRESH_MS = 200

/** Feed entries cached for a room: the most that one heartbeat may carry. */
const FEED_MAX = 300

/** Feed entries that a client gets at first. */
const FEED_FIRST = 50

export type GameBoard = {
  /** When the round below opens; without one, when the last one ended. */
  readonly since: number
  /** According to the calendar; null outside opening hours. */
  readonly scheduled: ScheduledRound | null
  /** Null while the round is not open yet, or there is none. */
  readonly state: RoundState | null
  /** Of the closed book; null until the seal. */
  readonly bookRoot: Buffer | null
  /** The last two results, newest first. */
  readonly results: readonly Result[]
}

export type Board = {
  game(gameId: number): Promise<GameBoard>
  /** Entries after a given one, oldest first, at most 300; without one the latest 50. */
  feed(roomId: number, after: number | null): Promise<readonly FeedBet[]>
  /** Invalidates the cache of the game: the next caller gets data that is read after this moment. */
  roundChanged(gameId: number): void
  /** The same for the feed of a room. */
  betsPlaced(roomId: number): void
}

export function roomBoard(deps: {
  db: Queryable
  schedule: ScheduleRules
  now: () => number
  /** Makes the pseudonyms of the feeds. */
  feedKey: Buffer
}): Board {
  const { db, schedule, now, feedKey } = deps
  const freshness = { freshMs: FRESH_MS, now }
  const games = new Map<number, FreshRead<GameBoard>>()
  const feeds = new Map<number, Feed>()

  async function readGame(gameId: number): Promise<GameBoard> {
    const at = now()
    const scheduled = roundAt(schedule, at)
    const [round, results, since] = await Promise.all([
      scheduled ? roundByIssue(db, { gameId, issue: scheduled.issue }) : undefined,
      latestResults(db, gameId),
      scheduled?.opensAt ?? lastEnd(gameId, at),
    ])
    const { state = null, bookRoot = null } = round ?? {}
    return { since, scheduled, state, bookRoot, results }
  }

  /** When the last round of the calendar ended, or a later one that was opened by other opening hours. */
  async function lastEnd(gameId: number, at: number): Promise<number> {
    const day = gameDayAt(schedule, at)
    const { drawsAt } = roundOf(schedule, day, roundsInDay(schedule, day))
    return Math.max(drawsAt, (await lastDrawsAt(db, gameId)) ?? 0)
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
    const added = later
      .filter(({ id }) => id > lastId)
      .map((bet) => ({ ...bet, pseudonym: pseudonymOf(feedKey, bet) }))
    feed.entries = [...feed.entries, ...added].slice(-FEED_MAX)
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

type Feed = { entries: FeedBet[]; refresh: FreshRead<void> }

/** Reads all games, or only the requested one; none if there is no such game. */
export type ReadLobby = (gameId?: number) => Promise<GameOnWire[]>

export function lobbyReader(deps: {
  board: Board
  catalog: () => Promise<Catalog>
  robots: boolean
  now: () => number
}): ReadLobby {
  const { board, catalog, robots, now } = deps
  return async (gameId) => {
    const known = await catalog()
    const { games, rooms } = known
    const requested = games.filter(({ id }) => gameId === undefined || id === gameId)
    return Promise.all(
      requested.map(async (game): Promise<GameOnWire> => {
        const shown = await board.game(game.id)
        const open = shown.scheduled !== null
        const last = shown.results[0]
        return {
          id: game.id,
          name: game.name,
          status: gameStatus(game, { open }),
          issue: {
            ...wireRound(shown, { at: now(), changes: game.changes }),
            last_code: last ? lotteryCode(last) : '',
          },
          planList: rooms
            .filter((room) => room.gameId === game.id)
            .map((room) => ({
              ...wirePlan(room, gameStatus(game, { room, open })),
              robot_num: robots ? room.robots : 0,
            })),
          pauses: pausesOf(game.id, known, now()),
        }
      }),
    )
  }
}

/** How long before its beginning players are told of a planned stop. */
const TOLD_BEFORE_MS = 24 * 3_600_000

/** The planned stops of a game and its rooms of which players are told now. */
function pausesOf(gameId: number, { planned, rooms }: Catalog, now: number): GameOnWire['pauses'] {
  const ofGame = ({ scope, subjectId }: PlannedStop) =>
    scope === 'all' ||
    (scope === 'game' ? subjectId : rooms.find(({ id }) => id === subjectId)?.gameId) === gameId
  return planned
    .filter((stop) => ofGame(stop) && stop.beginsAt < now + TOLD_BEFORE_MS && stop.endsAt > now)
    .map(({ scope, subjectId, beginsAt, endsAt, told }) => ({
      plan_id: scope === 'room' ? subjectId : null,
      begins_at: unixSeconds(beginsAt),
      ends_at: unixSeconds(endsAt),
      text: told,
    }))
}

function wirePlan(room: Room, status: number): Omit<Plan, 'robot_num'> {
  return {
    id: room.id,
    game_id: room.gameId,
    title: room.title,
    type: room.type,
    min_limit: formatAmount(room.stakeMin),
    join_limit: formatAmount(room.entryMin),
    status,
  }
}

/**
 * The running round in wire form; sealed also while it is not open yet or never opens, or outside opening hours.
 *
 * @param moment `changes`: of the game in the catalog
 */
export function wireRound(
  board: GameBoard,
  { at, changes }: { at: number; changes: number },
): RunningRoundOnWire {
  const { scheduled, state, bookRoot, results } = board
  const openTime1 = scheduled && state === 'open' ? secondsTo(scheduled.sealsAt, at) : 0
  const open = openTime1 > 0
  return {
    issue: scheduled?.issue ?? '',
    last_issue: results[0]?.issue ?? '',
    openTime1,
    whether_close: !open,
    draw_in: state && scheduled && at >= scheduled.sealsAt ? secondsTo(scheduled.drawsAt, at) : 0,
    book_root: bookRoot?.toString('hex') ?? null,
    version: String(phaseOf(board, open) + placeOf(results[0]?.issue) + changes),
  }
}

/** Whole seconds, rounded up; 0 for what is over. */
function secondsTo(end: number, at: number): number {
  return Math.max(0, Math.ceil((end - at) / 1000))
}

/**
 * The parts of a game's version. None of them ever becomes smaller, so neither does their sum, and it grows with each
 * of them: of two states of a game the later one has the greater version, whichever process read it.
 */
function phaseOf({ since, scheduled, state, bookRoot }: GameBoard, open: boolean): number {
  if (!scheduled) return since
  if (state === null) return since + 1
  if (open) return since + 2
  return since + (bookRoot ? 4 : 3)
}

/** Ascends with the rounds, whatever the number of a day's rounds. */
function placeOf(issue = '0'): number {
  return Number(issue.slice(0, 8)) * 100_000 + Number(issue.slice(8))
}
