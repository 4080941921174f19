/** Watches a bet room: by its stream, and by the heartbeat where there is none. */
import { i18n } from '@lingui/core'
import { Refusal } from '@sum28/contract/client.ts'
import { endsSession } from '#src/data/client.ts'
import { askHeart, BEAT_LATE_MS } from '#src/data/heart.ts'
import { lineBase } from '#src/data/lines.ts'
import * as links from '#src/data/room-link.ts'
import type { News } from '#src/data/room-news.ts'
import { readRoomStream, streamAddress } from '#src/data/room-stream.ts'
import { currentSession } from '#src/data/session-watch.ts'

/** A server that refuses a stream is not asked for one again before this, unless it says when. */
const REFUSED_MS = 30_000

/** The longest that a timer can be set for at once; then it is set again. */
const NAP_MOST_MS = 60_000

type Watch = {
  gameId: number
  roomId: number
  /** From one beat to the next while there is no stream. */
  everyMs: number
  /** The last feed entry already heard, or null for the latest fifty. */
  after: () => number | null
  onNews: (news: News) => void
  /** A beat is late (null), or the server said no, or it cannot be reached. */
  onTrouble: (error: unknown) => void
  /** Whether news come by the stream now. */
  onStreaming: (streaming: boolean) => void
}

/**
 * Watches until it is stopped; not while the page is hidden, and at once when it is seen again.
 *
 * @returns how to stop it, and how to ask at once for what the stream may tell only later
 */
export function watchRoom(watch: Watch): { stop: () => void; beatNow: () => void } {
  const stopped = new AbortController()
  let link = links.beginLink({ now: performance.now(), everyMs: watch.everyMs })
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
    watch.onStreaming(link.stream.kind === 'live')
  }

  const DO = {
    open: () => void listen(),
    drop: () => dropStream?.abort(),
    beat: () => void beat(),
  } as const satisfies Record<links.Todo, () => void>

  /** What was heard, or, once a stream has told of an empty feed, all of it. */
  const after = () => watch.after() ?? (link.everLive ? 0 : null)

  async function listen() {
    dropStream?.abort()
    const mine = new AbortController()
    dropStream = mine
    const signal = AbortSignal.any([mine.signal, stopped.signal])
    const token = currentSession()?.token ?? ''
    const { gameId, roomId } = watch
    const common = { host: location.host, lang: i18n.locale || 'en' }
    const address = lineBase() + streamAddress({ gameId, roomId, after: after() }, common)
    try {
      const response = await fetch(address, {
        headers: { Token: token, Accept: 'text/event-stream' },
        credentials: 'same-origin',
        cache: 'no-store',
        signal,
      })
      await readRoomStream(response, {
        onLife: () => mine === dropStream && go(links.streamAlive(link, performance.now())),
        onNews: (news) => {
          if (signal.aborted) return
          watch.onNews(news)
          go(links.streamTold(link, performance.now()))
        },
      })
    } catch (error) {
      if (signal.aborted || endsSession(error, token)) return
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
    const late = setTimeout(() => watch.onTrouble(null), BEAT_LATE_MS)
    const { gameId, roomId } = watch
    try {
      const news = await askHeart({ gameId, roomId, after: after() }, signal)
      if (!signal.aborted) watch.onNews(news)
    } catch (error) {
      if (!signal.aborted) watch.onTrouble(error)
    } finally {
      clearTimeout(late)
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
  go(link)
  return {
    stop: () => {
      clearTimeout(timer)
      stopped.abort()
    },
    beatNow: () => go(links.beatWanted(link, performance.now())),
  }
}

/** From 0 to 1, for no purpose of the game. */
function spread(): number {
  return (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255
}
