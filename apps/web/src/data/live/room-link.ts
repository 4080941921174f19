/** The link that tells a bet room's news: by its stream, and by the heartbeat where there is none. */
import { heart } from '@sum28/contract/lottery-routes.ts'
import type { StreamEventName, StreamEvents } from '@sum28/contract/stream.ts'
import { STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import { call, endsSession } from '#src/data/client.ts'
import { feedEntryFromWire } from '#src/data/feed.ts'
import type { StreamEvent } from '#src/data/live/event-stream.ts'
import { openStream, readStream } from '#src/data/live/read-stream.ts'
import { moneyFromWire, type News, roundFromWire, winFromWire } from '#src/data/live/room-news.ts'
import { runLink } from '#src/data/live/run-link.ts'
import { currentSession } from '#src/data/session-watch.ts'

/** A beat that takes longer than this counts as late, though its answer is still waited for. */
const BEAT_LATE_MS = 5_000

type RoomAsked = {
  gameId: number
  roomId: number
  /** The feed entry heard last, or null for the latest fifty. */
  after: number | null
}

type RoomListener = Omit<RoomAsked, 'after'> & {
  /** From one beat to the next while there is no stream, in milliseconds. */
  everyMs: number
  /** The feed entry heard last, or null for the latest fifty. */
  after: () => number | null
  onNews: (news: News) => void
  /** A beat is late (null), or the server said no, or it cannot be reached. */
  onTrouble: (error: unknown) => void
  /** Whether news come by the stream now. */
  onStreaming: (streaming: boolean) => void
}

/**
 * Follows a room until it is stopped; not while the page is hidden, and at once when it is seen again.
 *
 * @returns how to stop it, and how to ask at once for what the stream may tell only later
 */
export function followRoom(listener: RoomListener): { stop: () => void; beatNow: () => void } {
  const { gameId, roomId, everyMs, onNews, onTrouble, onStreaming } = listener

  /** Where a stream has told of an empty feed, all that comes is asked for. */
  const asked = (everTold: boolean): RoomAsked => {
    return { gameId, roomId, after: listener.after() ?? (everTold ? 0 : null) }
  }

  return runLink({
    everyMs,
    onStreaming,
    async listen({ signal, everTold, onBytes, onTold }) {
      const token = currentSession()?.token ?? ''
      try {
        const query = roomQuery(asked(everTold))
        await readStream(await openStream(STREAM_PATH, { signal, token, query }), {
          onBytes,
          onEvent: (event, receivedAt) => {
            const news = newsOfEvent(event, receivedAt)
            if (!news || signal.aborted) return
            onNews(news)
            onTold()
          },
        })
      } catch (error) {
        if (signal.aborted || !endsSession(error, token)) throw error
      }
    },
    async beat({ signal, everTold }) {
      const late = setTimeout(() => onTrouble(null), BEAT_LATE_MS)
      try {
        const news = await askHeart(asked(everTold), signal)
        if (!signal.aborted) onNews(news)
      } catch (error) {
        if (!signal.aborted) onTrouble(error)
      } finally {
        clearTimeout(late)
      }
    },
  })
}

/** A room as its stream and its heartbeat ask for it. */
export function roomQuery({ gameId, roomId, after }: RoomAsked) {
  return { plan_id: roomId, game_id: gameId, ...(after !== null && { after }) }
}

/** What an event of a room's stream tells, or null for one that this version does not know. */
export function newsOfEvent({ name, data }: StreamEvent, receivedAt: number): News | null {
  const asOf = receivedAt
  if (name === 'round') {
    return { asOf, round: roundFromWire(read<'round'>(data), { asOf, receivedAt }) }
  }
  if (name === 'money') return { asOf, money: moneyFromWire(read<'money'>(data)) }
  if (name === 'win') return { asOf, wins: read<'win'>(data).map(winFromWire) }
  if (name === 'feed') return { asOf, entries: read<'feed'>(data).map(feedEntryFromWire) }
  return null
}

/** All in a room that changes, in one question. Rejects as `call` does. */
async function askHeart(asked: RoomAsked, signal: AbortSignal): Promise<News> {
  const asOf = performance.now()
  const reply = await call(heart, roomQuery(asked), { signal })
  return {
    asOf,
    round: roundFromWire(reply, { asOf, receivedAt: performance.now() }),
    money: moneyFromWire(reply.user_quantity),
    wins: reply.hit_notice.map(winFromWire),
    entries: reply.message.map(feedEntryFromWire),
  }
}

/** As with every reply: what the server says is taken for what the contract names. */
function read<Name extends StreamEventName>(data: string): StreamEvents[Name] {
  return JSON.parse(data)
}
