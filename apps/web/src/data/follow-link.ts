/** Keeps a link to the server as `room-link.ts` decides: its stream, and beats where there is none. */
import { Refusal } from '@sum28/contract/client.ts'
import { watchLineBase } from '#src/data/lines.ts'
import * as links from '#src/data/room-link.ts'

/** A server that refuses a stream is not asked for one again before this, unless it says when. */
const REFUSED_MS = 30_000

/** The longest that a timer can be set for at once; then it is set again. */
const NAP_MOST_MS = 60_000

type Listening = {
  signal: AbortSignal
  /** Whether any stream of this link has told anything before. */
  everLive: boolean
  /** To be called when bytes come, whatever they say. */
  onLife: () => void
  /** To be called when something was told. */
  onTold: () => void
}

type LinkWork = {
  /** From one beat to the next while there is no stream. */
  everyMs: number
  /** Opens the stream and reads it. Rejects where it breaks; resolving, it is not opened again. */
  listen: (listening: Listening) => Promise<void>
  /** Asks once for what the stream would tell; rejects where that fails, which is no more heard of. */
  beat: (signal: AbortSignal, everLive: boolean) => Promise<void>
  /** Whether the stream tells now. */
  onStreaming: (streaming: boolean) => void
}

/**
 * Follows until it is stopped; not while the page is hidden, and at once when it is seen again.
 *
 * @returns how to stop it, and how to ask at once for what the stream may tell only later
 */
export function followLink(work: LinkWork): { stop: () => void; beatNow: () => void } {
  const stopped = new AbortController()
  let link = links.beginLink({ now: performance.now(), everyMs: work.everyMs })
  let timer: ReturnType<typeof setTimeout> | undefined
  let dropStream: AbortController | null = null
  let dropBeat: AbortController | null = null

  /** Takes a new state and does what it asks for. */
  function go(next: links.Link) {
    clearTimeout(timer)
    if (stopped.signal.aborted) return
    link = next
    if (!document.hidden) {
      const step = links.stepLink(link, { now: performance.now(), spread: spread() })
      link = step.link
      for (const todo of step.todo) DO[todo]()
      const napMs = links.wakeAt(link) - performance.now()
      timer = setTimeout(() => go(link), Math.min(NAP_MOST_MS, Math.max(0, napMs)))
    }
    work.onStreaming(link.stream.kind === 'live')
  }

  const DO = {
    open: () => void listen(),
    drop: () => dropStream?.abort(),
    beat: () => void beat(),
  } as const satisfies Record<links.Todo, () => void>

  async function listen() {
    dropStream?.abort()
    const mine = new AbortController()
    dropStream = mine
    const signal = AbortSignal.any([mine.signal, stopped.signal])
    try {
      await work.listen({
        signal,
        everLive: link.everLive,
        onLife: () => mine === dropStream && go(links.streamAlive(link, performance.now())),
        onTold: () => !signal.aborted && go(links.streamTold(link, performance.now())),
      })
    } catch (error) {
      if (signal.aborted) return
      const leastMs = error instanceof Refusal ? (error.data.retry_after ?? 0) * 1_000 : 0
      const refusedMs = error instanceof Refusal ? REFUSED_MS : 0
      const now = performance.now()
      go(
        links.streamBroken(link, {
          now,
          spread: spread(),
          leastMs: Math.max(leastMs, refusedMs),
        }),
      )
    }
  }

  async function beat() {
    const mine = new AbortController()
    dropBeat = mine
    const signal = AbortSignal.any([mine.signal, stopped.signal])
    try {
      await work.beat(signal, link.everLive)
    } catch {
      // Whoever beats has told of it.
    } finally {
      if (!signal.aborted) go(links.beatEnded(link, performance.now()))
    }
  }

  /** What is under way is given up: it may hang on a network that is gone. */
  function doubt() {
    dropStream?.abort()
    dropBeat?.abort()
    go(links.linkDoubted(link, performance.now()))
  }

  const { signal } = stopped
  // A hidden page listens to nothing, and hears at once what it missed when it is seen again.
  document.addEventListener('visibilitychange', doubt, { signal })
  window.addEventListener('online', doubt, { signal })
  window.addEventListener('offline', doubt, { signal })
  // Another line: what is under way is of the one before.
  const leaveLine = watchLineBase(doubt)
  go(link)
  return {
    stop: () => {
      clearTimeout(timer)
      leaveLine()
      stopped.abort()
    },
    beatNow: () => go(links.beatWanted(link, performance.now())),
  }
}

/** From 0 to 1, for no purpose of the game. */
function spread(): number {
  return (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255
}
