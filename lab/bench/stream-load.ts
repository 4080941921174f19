/** Open streams from a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FLAGS = { execArgv: ['--disable-warning=ExperimentalWarning'] }

/** @property network an address of the client's, as a proxy names it */
export type StreamRequest = { path: string; token: string; gameId: number; network: string }

export type StreamLoad = {
  port: number
  /** The last number of the first address of ours that connects: 127.0.0.n. */
  from: number
  streams: readonly StreamRequest[]
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

export type ToStreams = ({ kind: 'open' } & StreamLoad) | { kind: 'report'; forget: boolean }
export type FromStreams = { kind: 'opened' } | ({ kind: 'report' } & StreamReport)

export type Streams = {
  /** What was received since the beginning, or since it was last forgotten. */
  report(forget?: boolean): Promise<StreamReport>
  stop(): Promise<void>
}

/** Opens streams; ends when all are open. */
export async function openStreams(load: StreamLoad): Promise<Streams> {
  const child = fork(fileURLToPath(new URL('./stream-generator.ts', import.meta.url)), FLAGS)
  const ended = once(child, 'exit')
  async function ask(message: ToStreams): Promise<FromStreams> {
    const answer = once(child, 'message') as Promise<[FromStreams]>
    child.send(message)
    const first = await Promise.race([answer, ended])
    if (child.exitCode !== null) throw new Error('the process that holds streams ended')
    return (first as [FromStreams])[0]
  }
  await ask({ kind: 'open', ...load })
  return {
    report: (forget = false) => ask({ kind: 'report', forget }) as unknown as Promise<StreamReport>,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

/** How many files a process that is started from here may have open. */
export function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  // Node raises its own limit to the greatest that it may have.
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
