/**
 * The streams of the bet rooms: one loop for each room that has viewers. An event of a change runs it at once;
 * without events it polls, because events may be lost. It sends the heartbeat's answer, and to each viewer only what
 * has changed since the last event.
 */
import type { StreamEventName } from '@sum28/contract/stream.ts'
import type { ScheduleRules } from '@sum28/domain/schedule.ts'
import type { Caller } from '#src/modules/accounts/caller.ts'
import { feedMessage } from '#src/modules/bets/bet-wire.ts'
import { isRefusal, type Refusal } from '#src/refusal.ts'
import type { Board } from './board.ts'
import type { Heartbeat, Place, ShownRound } from './heartbeat.ts'
import { pollTimer } from './poll-timer.ts'

/** The least time between two checks; events that arrive meanwhile are handled together. */
const GATHER_MS = 50

/** A viewer of a room, and the function that sends him events. */
export type Viewer = {
  readonly caller: Caller
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
  /** Something has changed: new bets in a room, or a round of a game. */
  onChange(event: { topic: 'room' | 'game'; id: number }): void
  stop(): void
}

/** What to check: the feed and what depends on it, or everything. */
type Check = 'feed' | 'all'

type Watching = {
  readonly viewer: Viewer
  after: number | null
  round: string
  money: string
  readonly wins: Set<number>
}

type Watched = {
  readonly gameId: number
  readonly roomId: number
  readonly watching: Set<Watching>
  wanted: Check | null
  checking: boolean
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

  function want(room: Watched, check: Check): void {
    if (room.wanted !== 'all') room.wanted = check
    if (!room.checking) void checkWhileWanted(room)
  }

  async function checkWhileWanted(room: Watched): Promise<void> {
    room.checking = true
    while (room.wanted && room.watching.size > 0) {
      const check = room.wanted
      room.wanted = null
      // A failed check is repeated at the next event or poll.
      await runCheck(room, check).catch(deps.onError)
      await new Promise((gathered) => setTimeout(gathered, GATHER_MS))
    }
    room.checking = false
  }

  async function runCheck(room: Watched, check: Check): Promise<void> {
    const place = await heartbeat.find(room)
    if (isRefusal(place)) return
    const shown = await heartbeat.shownRound(place)
    const concerned = new Set(check === 'all' ? room.watching : [])
    for (const watching of sendRound(room, shown)) concerned.add(watching)
    for (const watching of await sendFeed(room)) concerned.add(watching)
    await Promise.all([...concerned].map((watching) => sendOwn(watching, place, shown)))
  }

  /** Sends a changed round, and returns the viewers who got it. */
  function sendRound(room: Watched, { round }: ShownRound): Watching[] {
    const { issue, last_issue, game_status } = round
    const key = [game_status, issue.issue, issue.whether_close, last_issue?.issue].join()
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
    const forStrangers = new Map<string, string>()
    const owners: Watching[] = []
    for (const watching of room.watching) {
      const { viewer, after } = watching
      const entries = await board.feed(room.roomId, after)
      const last = entries.at(-1)
      // The viewer has all of an empty room: every later entry is new.
      watching.after = last ? Number(last.id) : (after ?? 0)
      if (!last) continue
      const messages = () => JSON.stringify(entries.map((bet) => feedMessage(bet, viewer.caller)))
      if (entries.some(({ playerId }) => playerId === viewer.caller.playerId)) {
        owners.push(watching)
        viewer.send('feed', messages())
      } else {
        const key = `${after} ${last.id}`
        const json = forStrangers.get(key) ?? messages()
        forStrangers.set(key, json)
        viewer.send('feed', json)
      }
    }
    return owners
  }

  async function sendOwn(watching: Watching, place: Place, shown: ShownRound): Promise<void> {
    const { viewer, wins } = watching
    const [money, won] = await Promise.all([
      heartbeat.money(place, shown.round.issue.issue, viewer.caller),
      heartbeat.wins(place, shown.wonIn, viewer.caller),
    ])
    const json = JSON.stringify(money)
    if (json !== watching.money) viewer.send('money', json)
    watching.money = json
    const newWins = won.filter(({ id }) => !wins.has(id))
    for (const { id } of newWins) wins.add(id)
    if (newWins.length > 0) viewer.send('win', JSON.stringify(newWins))
  }

  const stopPolling = pollTimer({
    ...deps,
    poll: () => {
      for (const room of rooms.values()) want(room, 'all')
    },
  })

  return {
    async watch(request, viewer) {
      const place = await heartbeat.find(request)
      if (isRefusal(place)) return place
      const room: Watched = rooms.get(request.roomId) ?? {
        gameId: request.gameId,
        roomId: request.roomId,
        watching: new Set(),
        wanted: null,
        checking: false,
      }
      rooms.set(request.roomId, room)
      const watching = {
        viewer,
        after: request.after,
        round: '',
        money: '',
        wins: new Set<number>(),
      }
      room.watching.add(watching)
      want(room, 'all')
      return () => {
        room.watching.delete(watching)
        if (room.watching.size === 0 && rooms.get(room.roomId) === room) rooms.delete(room.roomId)
      }
    },
    onChange({ topic, id }) {
      for (const room of rooms.values()) {
        if (topic === 'game' && id === room.gameId) want(room, 'all')
        if (topic === 'room' && id === room.roomId) want(room, 'feed')
      }
    },
    stop() {
      stopPolling()
      rooms.clear()
    },
  }
}
