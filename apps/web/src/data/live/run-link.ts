/**
 * Carries out what the state machine of `link.ts` decides: opens and drops streams, sends beats.
 */
import { Refusal } from '@sum28/contract/client.ts'
import { watchLineBase } from '#src/data/lines.ts'
import { beginLink, type LinkEvent, type LiveLink, stepLink, wakeAt } from '#src/data/live/link.ts'

/** The pause after a refused stream, unless the server names another one. */
const REFUSED_MS = 30_000

/** The longest single timer; a longer wait is made of several. */
const TIMER_MOST_MS = 60_000

/**
 * A timer that comes so late shows that the page itself did not run. What the stream sent meanwhile is read
 * first, for a moment, so that the page does not take its own sleep for the stream's silence.
 */
const ASLEEP_MS = 500
const AWAKE_MS = 250

type Listening = {
  signal: AbortSignal
  /** Whether any stream of this link has sent data before. */
  everTold: boolean
  /** To be called for all bytes, with or without an event. */
  onBytes: () => void
  /** To be called for each event. */
  onTold: () => void
}

type LinkWork = {
  /** The interval of beats while there is no stream, in milliseconds. */
  everyMs: number
  /**
   * Opens the stream and reads it. Rejects when it breaks; after resolving it is not opened again.
   */
  listen: (listening: Listening) => Promise<void>
  /** Sends one beat. It handles its own failure. */
  beat: (beat: { signal: AbortSignal; everTold: boolean }) => Promise<void>
  /** Whether the stream delivers now. */
  onStreaming: (streaming: boolean) => void
}

/**
 * Runs a link until stopped; pauses while the page is hidden.
 *
 * @returns `stop`, and a function that sends a beat at once
 */
export function runLink(work: LinkWork): { stop: () => void; beatNow: () => void } {
  let link: LiveLink = beginLink({ now: performance.now(), everyMs: work.everyMs })
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream = new AbortController()
  let asked = new AbortController()

  function take(event: LinkEvent) {
    const { todo, ...next } = stepLink(link, event, { now: performance.now(), spread: spread() })
    link = next.link
    for (const each of todo) DO[each]()
    if (link.state.name !== 'stopped') work.onStreaming(link.state.name === 'streaming')
    clearTimeout(timer)
    const at = wakeAt(link)
    if (at === null) return
    const waitMs = Math.min(TIMER_MOST_MS, Math.max(0, at - performance.now()))
    const due = () => take({ what: 'time' })
    timer = setTimeout(() => {
      const overdueMs = performance.now() - at
      if (overdueMs < ASLEEP_MS) due()
      else timer = setTimeout(due, AWAKE_MS)
    }, waitMs)
  }

  const DO = {
    open: () => void listen(),
    beat: () => void beat(),
    'drop-stream': () => stream.abort(),
    'drop-beat': () => asked.abort(),
  } as const

  async function listen() {
    stream = new AbortController()
    const { signal } = stream
    const takeUnlessDropped = (event: LinkEvent) => {
      if (!signal.aborted) take(event)
    }
    try {
      await work.listen({
        signal,
        everTold: link.everTold,
        onBytes: () => takeUnlessDropped({ what: 'bytes' }),
        onTold: () => takeUnlessDropped({ what: 'told' }),
      })
    } catch (error) {
      takeUnlessDropped({ what: 'broken', leastMs: pauseAfter(error) })
    }
  }

  async function beat() {
    asked = new AbortController()
    const { signal } = asked
    await work.beat({ signal, everTold: link.everTold }).catch(() => {})
    if (!signal.aborted) take({ what: 'answered' })
  }

  const ended = new AbortController()
  const { signal } = ended
  const look = () => take({ what: document.hidden ? 'hidden' : 'seen' })
  const reroute = () => take({ what: 'rerouted' })
  document.addEventListener('visibilitychange', look, { signal })
  window.addEventListener('online', reroute, { signal })
  window.addEventListener('offline', reroute, { signal })
  signal.addEventListener('abort', watchLineBase(reroute))
  take({ what: document.hidden ? 'hidden' : 'time' })
  return {
    stop: () => {
      ended.abort()
      take({ what: 'stop' })
    },
    beatNow: () => take({ what: 'wanted' }),
  }
}

/** The shortest pause after an error, in milliseconds. */
function pauseAfter(error: unknown): number {
  if (!(error instanceof Refusal)) return 0
  return Math.max(REFUSED_MS, (error.data.retry_after ?? 0) * 1_000)
}

/** Random, from 0 to 1; never used for the game. */
function spread(): number {
  return (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255
}
