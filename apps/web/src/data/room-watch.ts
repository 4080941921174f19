/** Watches a bet room: by its stream, and by the heartbeat where there is none. */
import { i18n } from '@lingui/core'
import { endsSession } from '#src/data/client.ts'
import { followLink } from '#src/data/follow-link.ts'
import { askHeart, BEAT_LATE_MS } from '#src/data/heart.ts'
import { lineBase } from '#src/data/lines.ts'
import type { News } from '#src/data/room-news.ts'
import { readRoomStream, streamAddress } from '#src/data/room-stream.ts'
import { currentSession } from '#src/data/session-watch.ts'

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
  const { gameId, roomId, everyMs, onStreaming } = watch

  /** What was heard, or, once a stream has told of an empty feed, all of it. */
  const after = (everLive: boolean) => watch.after() ?? (everLive ? 0 : null)

  return followLink({
    everyMs,
    onStreaming,
    async listen({ signal, everLive, onLife, onTold }) {
      const token = currentSession()?.token ?? ''
      const common = { host: location.host, lang: i18n.locale || 'en' }
      const place = { gameId, roomId, after: after(everLive) }
      try {
        const response = await fetch(lineBase() + streamAddress(place, common), {
          headers: { Token: token, Accept: 'text/event-stream' },
          credentials: 'same-origin',
          cache: 'no-store',
          signal,
        })
        await readRoomStream(response, {
          onLife,
          onNews: (news) => {
            if (signal.aborted) return
            watch.onNews(news)
            onTold()
          },
        })
      } catch (error) {
        if (signal.aborted || !endsSession(error, token)) throw error
      }
    },
    async beat(signal, everLive) {
      const late = setTimeout(() => watch.onTrouble(null), BEAT_LATE_MS)
      try {
        const news = await askHeart({ gameId, roomId, after: after(everLive) }, signal)
        if (!signal.aborted) watch.onNews(news)
      } catch (error) {
        if (!signal.aborted) watch.onTrouble(error)
      } finally {
        clearTimeout(late)
      }
    },
  })
}
