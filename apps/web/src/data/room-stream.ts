/** The stream of a bet room: opened, read, and told piece by piece. */
import { Refusal } from '@sum28/contract/client.ts'
import type { Envelope, RefusalData } from '@sum28/contract/envelope.ts'
import type { StreamEventName, StreamEvents } from '@sum28/contract/stream.ts'
import { STREAM_END, STREAM_PATH } from '@sum28/contract/stream-rules.ts'
import { eventStreamParser, type StreamEvent } from '#src/data/event-stream.ts'
import { feedEntryFromWire } from '#src/data/feed.ts'
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

/**
 * Reads a stream until it ends. Never resolves: rejects with {@link Refusal} where the server
 * refused or ended it with a reason, and with another error where it broke or just ended.
 */
export async function readRoomStream(response: Response, listener: Listener): Promise<never> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (!isStream || !response.body) throw await refusalIn(response)
  const parse = eventStreamParser()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream ended')
      listener.onLife()
      const receivedAt = performance.now()
      for (const event of parse(value)) {
        if (event.name === STREAM_END) throw new Refusal(JSON.parse(event.data))
        const news = newsOfEvent(event, receivedAt)
        if (news) listener.onNews(news)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
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

/** The refusal that came instead of a stream; whatever else came is an error of another kind. */
async function refusalIn(response: Response): Promise<Error> {
  try {
    const envelope: unknown = await response.json()
    if (typeof envelope === 'object' && envelope !== null && 'code' in envelope) {
      return new Refusal(envelope as Envelope<RefusalData>)
    }
  } catch {
    // Something before the server answered.
  }
  return new Error('no stream was answered')
}
