/**
 * Server-sent events as a reply of the framework: a readable that its hooks, headers and closing handle like any
 * other body.
 */
import { Readable } from 'node:stream'

/** How much may wait for a slow client; beyond that the connection is closed, and the client resumes where it was. */
const WAITING_MAX_BYTES = 256 * 1024

export type EventStream = {
  /** The reply's body. */
  readonly body: Readable
  /** @param json one line */
  send(event: string, json: string): void
  /** A line that clients ignore; it shows that the stream is alive. */
  comment(text: string): void
  /** Ends it after everything sent has been read. */
  end(): void
}

export function eventStream(): EventStream {
  const body = new Readable({ read() {} })
  let ended = false

  function push(text: string): void {
    if (ended || body.destroyed) return
    body.push(text)
    if (body.readableLength > WAITING_MAX_BYTES) body.destroy()
  }

  // The first line makes the framework send the headers.
  push(': open\n\n')
  return {
    body,
    send: (event, json) => push(`event: ${event}\ndata: ${json}\n\n`),
    comment: (text) => push(`: ${text}\n\n`),
    end() {
      if (ended || body.destroyed) return
      ended = true
      body.push(null)
    },
  }
}
