/** Keeps a room up to date: by its stream, and by the heartbeat while there is no stream. */
import { heart } from '@sum28/contract/lottery-routes.ts'
import type { StreamEventName, StreamEvents } from '@sum28/contract/stream.ts'
import { STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import { call, endsSession } from '#src/data/client.ts'
import { feedEntryFromWire } from '#src/data/feed.ts'
import { keepRoots } from '#src/data/kept-roots.ts'
import type { StreamEvent } from '#src/data/live/event-stream.ts'
import { openStream, readStream } from '#src/data/live/read-stream.ts'
import {
  moneyFromWire,
  type RoomUpdate,
  roundFromWire,
  winFromWire,
} from '#src/data/live/room-update.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { currentSession } from '#src/data/session-watch.ts'

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
  /** Called with whether the stream sends data now. */
  onStreaming: (streaming: boolean) => void
}

/**
 * Subscribes to a room until stopped; pauses while the page is hidden.
 *
 * @returns `stop`, and a function that sends a beat at once
 */
export function subscribeToRoom(listener: RoomListener): { stop: () => void; beatNow: () => void } {
  const { gameId, roomId, everyMs, onUpdate, onTrouble, onStreaming } = listener

  /** If the feed was empty when a stream opened, every later entry is new. */
  const request = (everReceived: boolean): RoomRequest => {
    return { gameId, roomId, after: listener.after() ?? (everReceived ? 0 : null) }
  }

  function report(update: RoomUpdate): void {
    if (update.round) keepRoots([{ gameId, ...update.round }])
    onUpdate(update)
  }

  return runLink({
    everyMs,
    onStreaming,
    async runStream({ signal, everReceived, onBytes, onData }) {
      const token = currentSession()?.token ?? ''
      try {
        const query = roomQuery(request(everReceived))
        await readStream(await openStream(STREAM_PATH, { signal, token, query }), {
          onBytes,
          onEvent: (event, receivedAt) => {
            const update = updateOfEvent(event, receivedAt)
            if (!update || signal.aborted) return
            report(update)
            onData()
          },
        })
      } catch (error) {
        if (signal.aborted || !endsSession(error, token)) throw error
      }
    },
    async beat({ signal, everReceived }) {
      const late = setTimeout(() => onTrouble(null), BEAT_LATE_MS)
      try {
        const update = await fetchHeartbeat(request(everReceived), signal)
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
  const asOf = receivedAt
  if (name === 'round') {
    return { asOf, round: roundFromWire(read<'round'>(data), { asOf, receivedAt }) }
  }
  if (name === 'money') return { asOf, money: moneyFromWire(read<'money'>(data)) }
  if (name === 'win') return { asOf, wins: read<'win'>(data).map(winFromWire) }
  if (name === 'feed') return { asOf, entries: read<'feed'>(data).map(feedEntryFromWire) }
  return null
}

/** One beat: everything in a room that changes. Rejects as `call` does. */
async function fetchHeartbeat(request: RoomRequest, signal: AbortSignal): Promise<RoomUpdate> {
  const asOf = performance.now()
  const reply = await call(heart, roomQuery(request), { signal })
  return {
    asOf,
    round: roundFromWire(reply, { asOf, receivedAt: performance.now() }),
    money: moneyFromWire(reply.user_quantity),
    wins: reply.hit_notice.map(winFromWire),
    entries: reply.message.map(feedEntryFromWire),
  }
}

/** Like every reply, the data is trusted to have the contract's form. */
function read<Name extends StreamEventName>(data: string): StreamEvents[Name] {
  return JSON.parse(data)
}
