/** The stream of a bet room: where it is, and what it tells piece by piece. */
import type { StreamEventName, StreamEvents } from '@sum28/contract/stream.ts'
import { STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import type { StreamEvent } from '#src/data/event-stream.ts'
import { feedEntryFromWire } from '#src/data/feed.ts'
import { readStream } from '#src/data/read-stream.ts'
import { moneyFromWire, type News, roundFromWire, winFromWire } from '#src/data/room-news.ts'

type Listener = {
  /** Bytes came, whatever they say. */
  onLife: () => void
  onNews: (news: News) => void
}

type Place = { gameId: number; roomId: number; after: number | null }

/** Path and query of a room's stream. */
export function streamAddress(
  { gameId, roomId, after }: Place,
  common: { host: string; lang: string },
): string {
  const query = new URLSearchParams({ plan_id: `${roomId}`, game_id: `${gameId}`, ...common })
  if (after !== null) query.set('after', `${after}`)
  return `${STREAM_PATH}?${query}`
}

/** Reads a room's stream until it ends, as `readStream` does. */
export function readRoomStream(response: Response, listener: Listener): Promise<never> {
  return readStream(response, {
    onLife: listener.onLife,
    onEvent: (event, receivedAt) => {
      const news = newsOfEvent(event, receivedAt)
      if (news) listener.onNews(news)
    },
  })
}

/** What an event tells, or null for one that this version does not know. */
export function newsOfEvent({ name, data }: StreamEvent, receivedAt: number): News | null {
  const asOf = receivedAt
  if (name === 'round') return { asOf, round: roundFromWire(read<'round'>(data), receivedAt) }
  if (name === 'money') return { asOf, money: moneyFromWire(read<'money'>(data)) }
  if (name === 'win') return { asOf, wins: read<'win'>(data).map(winFromWire) }
  if (name === 'feed') return { asOf, entries: read<'feed'>(data).map(feedEntryFromWire) }
  return null
}

/** As with every reply: what the server says is taken for what the contract names. */
function read<Name extends StreamEventName>(data: string): StreamEvents[Name] {
  return JSON.parse(data)
}
