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

const OPENED = Buffer.from(': open\n\n')

let latest = { event: '', json: '', lines: OPENED }

/** An event's lines. The same event usually goes to many streams, one after the other. */
function encoded(event: string, json: string): Buffer {
  if (latest.event !== event || latest.json !== json) {
    latest = { event, json, lines: Buffer.from(`event: ${event}\ndata: ${json}\n\n`) }
  }
  return latest.lines
}

export function eventStream(raw: ServerResponse): EventStream {
  /** What is sent before the head; null after it. The first line sends the head out. */
  let early: Buffer[] | null = [OPENED]
  let ended = false
  // Its connection may break at any time: the reply's close says so.
  raw.on('error', () => {})

  function push(lines: Buffer): void {
    if (ended || raw.destroyed) return
    if (early) {
      early.push(lines)
      return
    }
    raw.write(lines)
    if (raw.writableLength > WAITING_MAX_BYTES) raw.destroy()
  }

  return {
    begin(headers) {
      const sent = Buffer.concat(early ?? [])
      early = null
      // The end of the connection is the end of the reply: in chunks each event would be four writes.
      raw.useChunkedEncodingByDefault = false
      raw.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      push(sent)
    },
    send: (event, json) => push(encoded(event, json)),
    comment: (text) => push(Buffer.from(`: ${text}\n\n`)),
    end() {
      if (ended || raw.destroyed) return
      ended = true
      raw.end()
    },
    destroy: () => raw.destroy(),
  }
}
