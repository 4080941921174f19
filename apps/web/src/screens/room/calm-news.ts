/** Collects the feed entries of a busy room, so that the screen renders them in batches. */
import type { News } from '#src/data/live/room-news.ts'

/** The least time between two batches. */
const BATCH_MS = 250

/**
 * Passes news on at once, except entries that come soon after others: they wait for the next batch.
 * None is lost, and the order stays.
 */
export function calmNews(onNews: (news: News) => void): {
  take: (news: News) => void
  stop: () => void
} {
  let batchedAt = Number.NEGATIVE_INFINITY
  let waiting: News | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = null
    if (!batch) return
    batchedAt = performance.now()
    onNews(batch)
  }

  function take(news: News) {
    const { asOf, entries = [], ...more } = news
    const before = waiting?.entries ?? []
    const lastId = before.at(-1)?.id ?? 0
    // A new stream sends the waiting entries again.
    const behind = entries.filter(({ id }) => id > lastId)
    const told = news.entries !== undefined || waiting !== null
    waiting = { ...more, asOf, ...(told && { entries: [...before, ...behind] }) }
    const restMs = batchedAt + BATCH_MS - performance.now()
    if (restMs <= 0 || Object.keys(more).length > 0) flush()
    else timer ??= setTimeout(flush, restMs)
  }

  return { take, stop: () => clearTimeout(timer) }
}
