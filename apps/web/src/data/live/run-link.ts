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
 * If a timer is this late, the page was suspended. The data that the stream sent meanwhile is then read
 * first, for a moment, so that the suspension does not count as silence of the stream.
 */
const SUSPENDED_MS = 500
const READ_FIRST_MS = 250

type StreamWork = {
  signal: AbortSignal
  /** Whether any stream of this link has sent data before. */
  everReceived: boolean
  /** To be called for all bytes, with or without an event. */
  onBytes: () => void
  /** To be called for each event. */
  onData: () => void
}

type LinkWork = {
  /** The interval of beats while there is no stream, in milliseconds. */
  everyMs: number
  /**
   * Opens the stream and reads it. Rejects when it breaks; after resolving it is not opened again.
   */
  runStream: (stream: StreamWork) => Promise<void>
  /** Sends one beat. It handles its own failure. */
  beat: (beat: { signal: AbortSignal; everReceived: boolean }) => Promise<void>
}

/**
 * Runs a link until stopped; pauses while the page is hidden.
 *
 * @returns `stop`, and a function that sends a beat at once
 */
export function runLink(work: LinkWork): { stop: () => void; beatNow: () => void } {
  let link: LiveLink = beginLink({ now: performance.now(), everyMs: work.everyMs })
  let timer: ReturnType<typeof setTimeout> | undefined
  let streamController = new AbortController()
  let beatController = new AbortController()

  function dispatch(event: LinkEvent) {
    const { todo, ...next } = stepLink(link, event, { now: performance.now(), spread: spread() })
    link = next.link
    for (const each of todo) DO[each]()
    clearTimeout(timer)
    const at = wakeAt(link)
    if (at === null) return
    const waitMs = Math.min(TIMER_MOST_MS, Math.max(0, at - performance.now()))
    const due = () => dispatch({ what: 'time' })
    timer = setTimeout(() => {
      const overdueMs = performance.now() - at
      if (overdueMs < SUSPENDED_MS) due()
      else timer = setTimeout(due, READ_FIRST_MS)
    }, waitMs)
  }

  const DO = {
    open: () => void runStream(),
    beat: () => void beat(),
    'drop-stream': () => streamController.abort(),
    'drop-beat': () => beatController.abort(),
  } as const

  async function runStream() {
    streamController = new AbortController()
    const { signal } = streamController
    const dispatchUnlessDropped = (event: LinkEvent) => {
      if (!signal.aborted) dispatch(event)
    }
    try {
      await work.runStream({
        signal,
        everReceived: link.everReceived,
        onBytes: () => dispatchUnlessDropped({ what: 'bytes' }),
        onData: () => dispatchUnlessDropped({ what: 'data' }),
      })
    } catch (error) {
      dispatchUnlessDropped({ what: 'broken', leastMs: pauseAfter(error) })
    }
  }

  async function beat() {
    beatController = new AbortController()
    const { signal } = beatController
    await work.beat({ signal, everReceived: link.everReceived }).catch(() => {})
    if (!signal.aborted) dispatch({ what: 'answered' })
  }

  const ended = new AbortController()
  const { signal } = ended
  const onVisibility = () => dispatch({ what: document.hidden ? 'hidden' : 'visible' })
  const reroute = () => dispatch({ what: 'rerouted' })
  document.addEventListener('visibilitychange', onVisibility, { signal })
  window.addEventListener('online', reroute, { signal })
  window.addEventListener('offline', reroute, { signal })
  // A page out of the back/forward cache has lost its connections, and may not be told so.
  window.addEventListener('pageshow', ({ persisted }) => persisted && reroute(), { signal })
  signal.addEventListener('abort', watchLineBase(reroute))
  dispatch({ what: document.hidden ? 'hidden' : 'time' })
  return {
    stop: () => {
      ended.abort()
      dispatch({ what: 'stop' })
    },
    beatNow: () => dispatch({ what: 'requested' }),
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
