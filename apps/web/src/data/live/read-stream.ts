import { Refusal, refusalOf } from '@sum28/contract/client.ts'
import { STREAM_END } from '@sum28/contract/stream-rules.ts'
import { lineBase } from '#src/data/lines.ts'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'

export type StreamEvent = { readonly name: string; readonly data: string }

type Opening = {
  signal: AbortSignal
  /** The session's; absent for a public stream. Sent in a header, never in the address. */
  token?: string
  query?: Record<string, number>
}

/** Requests a stream over the chosen line. Rejects if the server cannot be reached. */
export function openStream(
  path: string,
  { signal, token, query = {} }: Opening,
): Promise<Response> {
  const search = new URLSearchParams({ host: location.host, lang: currentLanguageChoice().locale })
  for (const [name, value] of Object.entries(query)) search.set(name, `${value}`)
  return fetch(`${lineBase()}${path}?${search}`, {
    headers: { ...(token !== undefined && { Token: token }), Accept: 'text/event-stream' },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })
}

export type StreamListener = {
  /** Called for all bytes, with or without an event. */
  onBytes: () => void
  /** @param receivedAt the instant of `performance.now()` */
  onEvent: (event: StreamEvent, receivedAt: number) => void
}

/**
 * Reads a stream until it ends. Never resolves: rejects with {@link Refusal} if the server gave a
 * reason, and with another error if the stream broke or ended without one.
 */
export async function readStream(response: Response, listener: StreamListener): Promise<never> {
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (!isStream || !response.body) {
    // A proxy may have answered, not the server.
    const answer: unknown = await response.json().catch(() => null)
    throw refusalOf(answer) ?? new Error('no stream was answered')
  }
  const parse = eventStreamParser()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream ended')
      listener.onBytes()
      const receivedAt = performance.now()
      for (const event of parse(value)) {
        if (event.name === STREAM_END) throw new Refusal(JSON.parse(event.data))
        listener.onEvent(event, receivedAt)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/**
 * @returns a function that takes the next piece of text, cut anywhere, and returns the events that
 * it completes. An event cut off by the stream's end is never returned.
 */
export function eventStreamParser(): (piece: string) => StreamEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []

  function takeLine(line: string): StreamEvent | null {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', data: data.join('\n') } : null
      name = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    return null
  }

  return (piece) => {
    const text = rest + piece
    // A carriage return at the end may be the first half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.map(takeLine).filter((event) => event !== null)
  }
}
