/**
 * The streams of the bet rooms: one loop for each room that has viewers. An event of a change runs it at once, or
 * after the first tenth of a second of a round; without events it polls, because events may be lost.
 * It sends the heartbeat's answer, and to each viewer only what has changed since the last event.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HitNotice } from '@sum28/contract/replies.ts'
import type { StreamEventName } from '@sum28/contract/stream.ts'
import {
  type Instant,
  nextRoundAfter,
  roundAt,
  type ScheduleRules,
} from '@sum28/domain/schedule.ts'
import type { Caller } from '#src/http/caller.ts'
import { type FeedBet, feedMessage } from '#src/modules/bets/bet-wire.ts'
import type { RoomMoney } from '#src/modules/bets/player-rounds-store.ts'
import { isRefusal, type Refusal } from '#src/refusal/refusal.ts'
import type { Board } from './board.ts'
import { type Heartbeat, type RoomOfGame, type ShownRound, wireMoney } from './heartbeat.ts'

/** The least time between two checks; events that arrive meanwhile are handled together. */
const GATHER_MS = 50

/** The pause before viewers' own data are read, so that round and feed reach all viewers first. */
const OWN_AFTER_MS = 200

/** Of how many viewers money and wins are read at once; other work has its turn between two reads. */
const READ_AT_ONCE = 500

/** A viewer of a room, and the function that sends him events. */
export type Viewer = {
  /** Null for a stranger, who gets only what a room shows to everybody. */
  readonly caller: Caller | null
  /** @param json the event's data, without line breaks */
  send(event: StreamEventName, json: string): void
}

export type RoomStreams = {
  /**
   * Subscribes a viewer, starting after the last feed entry that he has.
   * @returns the function that ends the subscription
   */
  watch(
    request: { gameId: number; roomId: number; after: number | null },
    viewer: Viewer,
  ): Promise<Refusal | (() => void)>
  roundChanged(gameId: number): void
  betsPlaced(roomId: number): void
  stop(): void
}

/** What to check: the feed and what depends on it, or everything. */
type Check = 'feed' | 'all'

type Watching = {
  readonly viewer: Viewer
  after: number | null
  round: string
  /** What was sent last; empty before it. */
  money: string
  /** Wins that were sent, of rounds that are not final yet. */
  readonly wins: Set<number>
  /** Rounds whose wins cannot change any more and have been sent. */
  finalRounds: readonly string[]
}

/** A viewer with money and wins of his own. */
type PlayerWatching = Watching & { readonly viewer: { readonly caller: Caller } }

type Watched = {
  readonly gameId: number
  readonly roomId: number
  readonly watching: Set<Watching>
  /** Wants a check. */
  readonly want: (check: Check) => void
  /** Viewers whose money and wins have to be read again. */
  readonly concerned: Set<PlayerWatching>
  readingOwn: boolean
}

export function roomStreams(deps: {
  heartbeat: Heartbeat
  board: Board
  schedule: ScheduleRules
  now: () => number
  onError: (error: unknown) => void
}): RoomStreams {
  const { heartbeat, board } = deps
  const rooms = new Map<number, Watched>()

  function watched(gameId: number, roomId: number): Watched {
    const watching = new Set<Watching>()
    const run = (check: Check): Promise<void> => runCheck(room, check)
    const want = gatheredChecks<Check>({ ...deps, watching, run })
    const room: Watched = {
      gameId,
      roomId,
      watching,
      want,
      concerned: new Set(),
      readingOwn: false,
    }
    return room
  }

  /** Sends what all see. What is a viewer's own comes after it and by itself, so that no news wait for it. */
  async function runCheck(room: Watched, check: Check): Promise<void> {
    const roomOfGame = await heartbeat.find(room)
    if (isRefusal(roomOfGame)) return
    const shown = await heartbeat.shownRound(roomOfGame)
    const changed = [...sendRound(room, shown), ...(await sendFeed(room))]
    for (const watching of check === 'all' ? room.watching : changed) {
      if (isOfPlayer(watching)) room.concerned.add(watching)
    }
    if (!room.readingOwn) void sendOwnWhileConcerned(room)
  }

  async function sendOwnWhileConcerned(room: Watched): Promise<void> {
    room.readingOwn = true
    while (room.concerned.size > 0) {
      await new Promise((later) => setTimeout(later, OWN_AFTER_MS))
      const viewers = [...room.concerned]
      room.concerned.clear()
      // A failed reading is repeated at the next event or poll.
      if (viewers.length > 0) await sendOwn(room, viewers).catch(deps.onError)
    }
    room.readingOwn = false
  }

  async function sendOwn(room: Watched, viewers: readonly PlayerWatching[]): Promise<void> {
    const roomOfGame = await heartbeat.find(room)
    if (isRefusal(roomOfGame)) return
    const shown = await heartbeat.shownRound(roomOfGame)
    await Promise.all([sendMoney(viewers, roomOfGame, shown), sendWins(viewers, roomOfGame, shown)])
  }

  /** Sends a changed round, and returns the viewers who got it. */
  function sendRound(room: Watched, { round }: ShownRound): Watching[] {
    const key = `${round.game_status} ${round.issue.version}`
    const json = JSON.stringify(round)
    return [...room.watching].filter((watching) => {
      if (watching.round === key) return false
      watching.round = key
      watching.viewer.send('round', json)
      return true
    })
  }

  /** Sends new entries of the feed, and returns the viewers with own bets among them. */
  async function sendFeed(room: Watched): Promise<Watching[]> {
    const owners: Watching[] = []
    // Nobody who has all, or names an entry to come, costs more than this comparison.
    const latest = Number((await board.feed(room.roomId, null)).at(-1)?.id ?? 0)
    const behind = [...room.watching].filter(({ after }) => after === null || after < latest)
    // Nearly all of them have the same entries.
    const byAfter = Map.groupBy(behind, ({ after }) => after)
    for (const [after, viewers] of byAfter) {
      const entries = await board.feed(room.roomId, after)
      owners.push(...sendEntries(entries, viewers))
    }
    return owners
  }

  /** Sends the same new entries to some viewers, and returns those with own bets among them. */
  function sendEntries(entries: readonly FeedBet[], viewers: readonly Watching[]): Watching[] {
    const last = entries.at(-1)
    if (!last) {
      for (const watching of viewers) {
        if (watching.after !== null) continue
        // He has all of an empty room, and every later entry is new.
        watching.after = 0
        watching.viewer.send('feed', '[]')
      }
      return []
    }
    const messagesFor = (caller: Caller | null) =>
      JSON.stringify(entries.map((bet) => feedMessage(bet, caller)))
    const bettors = new Set(entries.map(({ playerId }) => playerId))
    const isOwner = ({ viewer: { caller } }: Watching) => caller && bettors.has(caller.playerId)
    const forStrangers = viewers.every(isOwner) ? '' : messagesFor(null)
    for (const watching of viewers) {
      const { caller, send } = watching.viewer
      watching.after = Number(last.id)
      send('feed', isOwner(watching) ? messagesFor(caller) : forStrangers)
    }
    return viewers.filter(isOwner)
  }

  async function sendMoney(
    viewers: readonly PlayerWatching[],
    roomOfGame: RoomOfGame,
    shown: ShownRound,
  ) {
    const { issue } = shown.round.issue
    for (const some of inParts(viewers)) {
      const callers = some.map(({ viewer }) => viewer.caller)
      const read = await heartbeat.moneyOfAll(roomOfGame, issue, callers)
      for (const [number, watching] of some.entries()) sendIfNew(watching, read[number], issue)
    }
  }

  function sendIfNew(watching: Watching, money: RoomMoney | undefined, issue: string): void {
    if (!money) return
    const json = JSON.stringify(wireMoney(money, issue))
    if (watching.money === json) return
    watching.money = json
    watching.viewer.send('money', json)
  }

  async function sendWins(
    viewers: readonly PlayerWatching[],
    roomOfGame: RoomOfGame,
    { wonIn }: ShownRound,
  ) {
    // Nearly all viewers have the wins of the same rounds.
    const byRounds = Map.groupBy(viewers, ({ finalRounds }) =>
      wonIn.filter((issue) => !finalRounds.includes(issue)).join(),
    )
    for (const [rounds, waiting] of byRounds) {
      for (const some of rounds === '' ? [] : inParts(waiting)) {
        const callers = some.map(({ viewer }) => viewer.caller)
        const read = await heartbeat.winsOfAll(roomOfGame, rounds.split(','), callers)
        for (const [number, { won, final }] of read.entries()) {
          const watching = some[number]
          if (!watching) continue
          sendNewWins(watching, won)
          if (!final) continue
          watching.finalRounds = wonIn
          watching.wins.clear()
        }
      }
    }
  }

  function sendNewWins({ viewer, wins }: Watching, won: readonly HitNotice[]): void {
    const newWins = won.filter(({ id }) => !wins.has(id))
    for (const { id } of newWins) wins.add(id)
    if (newWins.length > 0) viewer.send('win', JSON.stringify(newWins))
  }

  const stopPolling = pollTimer({
    ...deps,
    poll: () => {
      for (const room of rooms.values()) room.want('all')
    },
  })

  return {
    async watch(request, viewer) {
      const roomOfGame = await heartbeat.find(request)
      if (isRefusal(roomOfGame)) return roomOfGame
      const room = rooms.get(request.roomId) ?? watched(request.gameId, request.roomId)
      rooms.set(request.roomId, room)
      const watching: Watching = {
        viewer,
        after: request.after,
        round: '',
        money: '',
        wins: new Set<number>(),
        finalRounds: [],
      }
      room.watching.add(watching)
      room.want('all')
      return () => {
        room.watching.delete(watching)
        if (isOfPlayer(watching)) room.concerned.delete(watching)
        if (room.watching.size === 0 && rooms.get(room.roomId) === room) rooms.delete(room.roomId)
      }
    },
    roundChanged(gameId) {
      for (const room of rooms.values()) if (room.gameId === gameId) room.want('all')
    },
    betsPlaced(roomId) {
      rooms.get(roomId)?.want('feed')
    },
    stop() {
      stopPolling()
      rooms.clear()
    },
  }
}

function isOfPlayer(watching: Watching): watching is PlayerWatching {
  return watching.viewer.caller !== null
}

function* inParts(viewers: readonly PlayerWatching[]): Generator<readonly PlayerWatching[]> {
  for (let from = 0; from < viewers.length; from += READ_AT_ONCE) {
    yield viewers.slice(from, from + READ_AT_ONCE)
  }
}

/**
 * Checks that are run one after the other while something watches: those that are wanted meanwhile, as one.
 *
 * @returns the function that wants a check: of `all`, or of less
 */
export function gatheredChecks<Check extends string>(deps: {
  schedule: ScheduleRules
  now: () => number
  watching: ReadonlySet<unknown>
  run: (check: Check) => Promise<void>
  onError: (error: unknown) => void
}): (check: Check) => void {
  const { schedule, now, watching, run, onError } = deps
  let wanted: Check | null = null
  let checking = false

  async function checkWhileWanted(): Promise<void> {
    checking = true
    while (wanted && watching.size > 0) {
      // Also without a wait it begins later, so that events which arrive together are one check.
      await sleep(roundChangesWaitMs(schedule, now()))
      const check = wanted
      wanted = null
      // A failed check is repeated at the next event or poll.
      await run(check).catch(onError)
      await sleep(GATHER_MS)
    }
    checking = false
  }
  return (check) => {
    if (wanted !== 'all') wanted = check
    if (!checking) void checkWhileWanted()
  }
}

/** How often a stream polls without events: a posting shows within 2 s (RTS 1A). */
const POLL_EVERY_MS = 1_500

/** A seal or an opening is checked just after its instant. */
const PAST_MS = 5

/**
 * Polls: at each seal and opening, and in between, because events may be lost.
 *
 * @returns the function that ends it
 */
export function pollTimer(deps: {
  schedule: ScheduleRules
  now: () => number
  poll: () => void
}): () => void {
  const { schedule, now, poll } = deps

  function untilNextPoll(): number {
    const at = now()
    const running = roundAt(schedule, at)
    const next =
      running && at < running.sealsAt ? running.sealsAt : nextRoundAfter(schedule, at).opensAt
    return Math.min(POLL_EVERY_MS, next - at + PAST_MS)
  }

  function pollLater(): NodeJS.Timeout {
    return setTimeout(() => {
      timer = pollLater()
      poll()
    }, untilNextPoll())
  }
  let timer = pollLater()
  return () => clearTimeout(timer)
}

/** When a round begins, it is opened and the one before is drawn, often within this time: both are sent together. */
const ROUND_CHANGES_MS = 100

/** For how long a change waits for further ones of a round's beginning, in milliseconds. */
export function roundChangesWaitMs(schedule: ScheduleRules, at: Instant): number {
  const running = roundAt(schedule, at)
  return running ? Math.max(0, running.opensAt + ROUND_CHANGES_MS - at) : 0
}
