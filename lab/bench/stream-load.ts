/** Open streams from a process of its own. */
import { readFileSync } from 'node:fs'
import { startChild } from '../child.ts'

export type StreamLoad = {
  port: number
  /** The last number of the first address of ours that connects: 127.0.0.n. */
  from: number
  /** `network`: an address of the client's, as a proxy names it. */
  streams: readonly { path: string; token: string; gameId: number; network: string }[]
}

export type StreamReport = {
  /** Each draw, `<game> <round>`, and when it was told, in milliseconds since 1970, ascending. */
  draws: { draw: string; times: number[] }[]
  /** The latest event of a draw. */
  event: string
  closed: number
  /** Tries to open one that the server refused. */
  refused: number
}

export type Streams = Awaited<ReturnType<typeof openStreams>>

/** Opens streams; ends when all are open. */
export async function openStreams(load: StreamLoad) {
  const child = startChild(new URL('stream-generator.ts', import.meta.url))
  await child.ask(load)
  return {
    /** What was received since the beginning, or since it was last forgotten. */
    report: ({ forget = false } = {}) => child.ask<StreamReport>({ forget }),
    stop: child.stop,
  }
}

/** How many files a process that is started from here may have open. */
export function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  // Node raises its own limit to the greatest that it may have.
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
