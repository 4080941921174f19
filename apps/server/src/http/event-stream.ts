/**
 * Server-sent events, written directly to the reply's connection: a readable between them, which the framework would
 * send, takes 6 kB more memory for each open stream.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** How much may wait for a slow client; beyond that the connection is closed, and the client resumes where it was. */
const WAITING_MAX_BYTES = 256 * 1024

export type EventStream = {
  /** Sends the head of the reply, and the events that were sent before it. */
  begin(headers: OutgoingHttpHeaders): void
  /** @param json one line */
  send(event: string, json: string): void
  /** A line that clients ignore; it shows that the stream is alive. */
  comment(text: string): void
  /** Ends it after everything sent has been read. */
  end(): void
  /** Closes the connection. */
  destroy(): void
}

export function eventStream(raw: ServerResponse): EventStream {
  /** What is sent before the head; null after it. The first line sends the head out. */
  let early: string | null = ': open\n\n'
  let ended = false
  // Its connection may break at any time: the reply's close says so.
  raw.on('error', () => {})

  function push(text: string): void {
    if (ended || raw.destroyed) return
    if (early !== null) {
      early += text
      return
    }
    raw.write(text)
    if (raw.writableLength > WAITING_MAX_BYTES) raw.destroy()
  }

  return {
    begin(headers) {
      const sent = early ?? ''
      early = null
      raw.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      push(sent)
    },
    send: (event, json) => push(`event: ${event}\ndata: ${json}\n\n`),
    comment: (text) => push(`: ${text}\n\n`),
    end() {
      if (ended || raw.destroyed) return
      ended = true
      raw.end()
    },
    destroy: () => raw.destroy(),
  }
}
