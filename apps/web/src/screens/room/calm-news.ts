/** News of a busy room, calmed: what needs work on the screen for each row comes in batches. */
import type { News } from '#src/data/room-news.ts'

/** From one batch of feed entries to the next, at least. */
const BATCH_MS = 250

/**
 * Hands news on at once; only entries that come soon after others wait for the next batch, together
 * with those that come meanwhile. None is lost or changes its place.
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
    // A stream that begins anew tells once more what waits here.
    const behind = entries.filter(({ id }) => id > lastId)
    const told = news.entries !== undefined || waiting !== null
    waiting = { ...more, asOf, ...(told && { entries: [...before, ...behind] }) }
    const restMs = batchedAt + BATCH_MS - performance.now()
    if (restMs <= 0 || Object.keys(more).length > 0) flush()
    else timer ??= setTimeout(flush, restMs)
  }

  return { take, stop: () => clearTimeout(timer) }
}
