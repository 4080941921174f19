/** A client of the streams for tests. */
import type { Envelope, RefusalData } from '@sum28/contract/envelope.ts'
import {
  type GamesStreamEvents,
  gamesStream,
  type Stream,
  type StreamEvents,
  stream,
} from '@sum28/contract/stream.ts'
import { STREAM_END } from '@sum28/contract/stream-rules.ts'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { eventually } from './patience.ts'

export type TestStream<Events = StreamEvents> = {
  readonly http: number
  readonly headers: Headers
  /** All events so far, in order; each checked against the contract. */
  readonly events: readonly { name: string; data: unknown }[]
  /** The data of all events of a name so far. */
  of<Name extends keyof Events>(name: Name): Events[Name][]
  /** Why the server ended it. */
  readonly end: Envelope<RefusalData> | null
  /** Comment lines so far. */
  readonly comments: readonly string[]
  readonly closed: boolean
  /** Breaks the connection, as a lost network does. */
  cut(): void
}

/** Opens a room's stream; after a refusal it has no events, and `end` is the envelope. */
export function openStream(
  url: string,
  input: { plan_id: number; game_id: number; after?: number },
  { token }: { token: string },
): Promise<TestStream> {
  return open<StreamEvents>(url, { stream, input, headers: { Token: token } })
}

/** Opens the stream of all games, without a token as a stranger does. */
export function openGamesStream(
  url: string,
  { token }: { token?: string } = {},
): Promise<TestStream<GamesStreamEvents>> {
  const headers = token === undefined ? {} : { Token: token }
  return open<GamesStreamEvents>(url, { stream: gamesStream, input: {}, headers })
}

async function open<Events>(
  url: string,
  { stream, input, headers }: { stream: Stream; input: object; headers: Record<string, string> },
): Promise<TestStream<Events>> {
  const cutting = new AbortController()
  onTestFinished(() => cutting.abort())
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) query.set(key, String(value))
  const response = await fetch(`${url}${stream.path}?${query}`, {
    headers,
    signal: cutting.signal,
  })
  const state = {
    http: response.status,
    headers: response.headers,
    events: [] as { name: string; data: unknown }[],
    comments: [] as string[],
    end: null as Envelope<RefusalData> | null,
    closed: false,
    of: <Name extends keyof Events>(name: Name) =>
      state.events.flatMap((event) => (event.name === name ? [event.data as Events[Name]] : [])),
    cut: () => cutting.abort(),
  }
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    state.end = (await response.json()) as Envelope<RefusalData>
    state.closed = true
    return state
  }

  function take(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim()
    const name = field('event')
    if (block.startsWith(':')) state.comments.push(block.slice(1).trim())
    if (!name) return
    const data: unknown = JSON.parse(field('data') ?? 'null')
    if (name === STREAM_END) state.end = data as Envelope<RefusalData>
    else {
      const schema = stream.events[name]
      if (!schema) throw new Error(`the contract has no event ${name}`)
      state.events.push({ name, data: z.parse(schema, data) })
    }
  }
  async function read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
  }
  if (!response.body) throw new Error('a stream without a body')
  void read(response.body)
    .catch((error: Error) => {
      if (error.name !== 'AbortError' && error.name !== 'TypeError') throw error
    })
    .finally(() => {
      state.closed = true
    })
  return state
}

/** Waits for the first matching event of a name. */
export function eventOf<Events, Name extends keyof Events>(
  from: TestStream<Events>,
  name: Name,
  wanted: (data: Events[Name]) => boolean = () => true,
): Promise<Events[Name]> {
  return eventually(() => from.of(name).find(wanted))
}
