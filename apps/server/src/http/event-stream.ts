/**
 * Server-sent events on a reply of the framework: a readable that its hooks, headers and closing
 * treat as any other body.
 */
import { Readable } from 'node:stream'

/** What may wait for a slow client; beyond it he is cut off, and begins anew from where he was. */
const WAITING_MAX_BYTES = 256 * 1024

export type EventStream = {
  /** The reply's body. */
  readonly body: Readable
  /** @param json one line */
  send(event: string, json: string): void
  /** A line that clients pass over, which shows that the stream lives. */
  comment(text: string): void
  /** Ends it once what was sent is read. */
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

  // The first line sends the headers out.
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
