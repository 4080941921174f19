import { heart, lobby } from '@sum28/contract/lottery-routes.ts'
import type { StreamEventName, StreamEvents } from '@sum28/contract/stream.ts'
import { OWN_EVENT, STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import { call } from '#src/data/client.ts'
import { gameFromWire } from '#src/data/games.ts'
import { keepRoots } from '#src/data/kept-roots.ts'
import { refetchOwn } from '#src/data/live/own-events.ts'
import { runOwnStream } from '#src/data/live/own-stream.ts'
import type { StreamEvent } from '#src/data/live/read-stream.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { moneyFromWire } from '#src/data/money.ts'
import { learnMoney } from '#src/data/profile.ts'
import { queryClient } from '#src/data/query-client.ts'
import { fetchRounds } from '#src/data/rounds/latest-rounds.ts'
import { currentSession } from '#src/data/session-watch.ts'
import {
  feedEntryFromWire,
  type RoomUpdate,
  roomMoneyFromWire,
  roundFromWire,
  winFromWire,
} from '#src/screens/room/room-update.ts'

/** A slower beat counts as late; its answer is still used. */
const BEAT_LATE_MS = 5_000

type RoomRequest = {
  gameId: number
  roomId: number
  /** The last known feed entry, or null for the latest fifty. */
  after: number | null
}

type RoomListener = Omit<RoomRequest, 'after'> & {
  /** The interval of beats while there is no stream, in milliseconds. */
  everyMs: number
  /** The last known feed entry, or null for the latest fifty. */
  after: () => number | null
  onUpdate: (update: RoomUpdate) => void
  /** Called if a beat is late (null), was refused, or could not reach the server. */
  onTrouble: (error: unknown) => void
}

/**
 * Subscribes to a room until stopped; pauses while the page is hidden.
 *
 * @returns `stop`, and a function that sends a beat at once
 */
export function subscribeToRoom(listener: RoomListener): { stop: () => void; beatNow: () => void } {
  const { gameId, roomId, everyMs, onUpdate, onTrouble } = listener

  /** If the feed was empty when a stream opened, every later entry is new. */
  const request = (everReceived: boolean): RoomRequest => {
    return { gameId, roomId, after: listener.after() ?? (everReceived ? 0 : null) }
  }

  function report(update: RoomUpdate): void {
    if (update.round) keepRoots([{ gameId, ...update.round }])
    if (update.money) learnMoney(update.money)
    onUpdate(update)
  }

  return runLink({
    everyMs,
    runStream: ({ everReceived, onData, ...watch }) =>
      runOwnStream({
        ...watch,
        path: STREAM_PATH,
        query: roomQuery(request(everReceived)),
        onEvent: (event, receivedAt) => {
          const update = updateOfEvent(event, receivedAt)
          if (!update) return
          report(update)
          onData()
        },
      }),
    async beat({ signal, everReceived }) {
      const late = setTimeout(() => onTrouble(null), BEAT_LATE_MS)
      const isStranger = currentSession() === null
      try {
        // Without a stream the rest of what is the player's own is asked for as often.
        if (!isStranger) void refetchOwn(queryClient, { all: true })
        const update = await (isStranger
          ? fetchPublicRound(listener, signal)
          : fetchHeartbeat(request(everReceived), signal))
        if (!signal.aborted) report(update)
      } catch (error) {
        if (!signal.aborted) onTrouble(error)
      } finally {
        clearTimeout(late)
      }
    },
  })
}

/** The fields that identify a room in requests of stream and heartbeat. */
export function roomQuery({ gameId, roomId, after }: RoomRequest) {
  return { plan_id: roomId, game_id: gameId, ...(after !== null && { after }) }
}

/** The content of a room stream's event, or null for an unknown event. */
export function updateOfEvent({ name, data }: StreamEvent, receivedAt: number): RoomUpdate | null {
  switch (name) {
    case 'round':
      return { receivedAt, round: roundFromWire(read<'round'>(data), receivedAt) }
    case 'money':
      return { receivedAt, money: roomMoneyFromWire(read<'money'>(data)) }
    case OWN_EVENT:
      return { receivedAt, money: moneyFromWire(read<typeof OWN_EVENT>(data)) }
    case 'win':
      return { receivedAt, wins: read<'win'>(data).map(winFromWire) }
    case 'feed':
      return { receivedAt, entries: read<'feed'>(data).map(feedEntryFromWire) }
    default:
      return null
  }
}

/** One beat: everything in a room that changes. Rejects as `call` does. */
async function fetchHeartbeat(request: RoomRequest, signal: AbortSignal): Promise<RoomUpdate> {
  const reply = await call(heart, roomQuery(request), { signal })
  const receivedAt = performance.now()
  return {
    receivedAt,
    round: roundFromWire(reply, receivedAt),
    money: roomMoneyFromWire(reply.user_quantity),
    wins: reply.hit_notice.map(winFromWire),
    entries: reply.message.map(feedEntryFromWire),
  }
}

/** What a stranger can ask for while he has no stream: the round and the last draw, without the feed. */
async function fetchPublicRound(
  { gameId, roomId }: Pick<RoomRequest, 'gameId' | 'roomId'>,
  signal: AbortSignal,
): Promise<RoomUpdate> {
  const { gameList } = await call(lobby, { game_id: gameId }, { signal })
  const receivedAt = performance.now()
  const [game] = gameList.map((each) => gameFromWire(each, receivedAt))
  const room = game?.rooms.find(({ id }) => id === roomId)
  if (!game || !room) return { receivedAt }
  const { list } = await fetchRounds(gameId, { limit: 1 }, signal)
  return { receivedAt, round: { ...game, status: room.status, lastDraw: list[0] ?? null } }
}

/** Like every reply, the data is trusted to have the contract's form. */
function read<Name extends StreamEventName>(data: string): StreamEvents[Name] {
  return JSON.parse(data)
}

/** The least time between two batches. */
const BATCH_MS = 250

/**
 * Passes an update on at once. Entries that come soon after others wait for the next batch. No entry
 * is lost, and the order stays.
 */
export function batchUpdates(onUpdate: (update: RoomUpdate) => void): {
  add: (update: RoomUpdate) => void
  stop: () => void
} {
  let batchedAt = Number.NEGATIVE_INFINITY
  let waiting: RoomUpdate | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = null
    if (!batch) return
    batchedAt = performance.now()
    onUpdate(batch)
  }

  function add(update: RoomUpdate) {
    const { receivedAt, entries = [], ...more } = update
    const before = waiting?.entries ?? []
    const lastId = before.at(-1)?.id ?? 0
    // A new stream sends the waiting entries again.
    const behind = entries.filter(({ id }) => id > lastId)
    const hasEntries = update.entries !== undefined || waiting !== null
    waiting = { ...more, receivedAt, ...(hasEntries && { entries: [...before, ...behind] }) }
    const restMs = batchedAt + BATCH_MS - performance.now()
    if (restMs <= 0 || Object.keys(more).length > 0) flush()
    else timer ??= setTimeout(flush, restMs)
  }

  return { add, stop: () => clearTimeout(timer) }
}
