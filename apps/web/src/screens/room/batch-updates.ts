/** Collects the feed entries of a busy room, so that the screen renders them in batches. */
import type { RoomUpdate } from '#src/data/live/room-update.ts'

/** The least time between two batches. */
const BATCH_MS = 250

/**
 * Passes an update on at once. Entries that come soon after others wait for the next batch. No entry
 * is lost, and the order stays.
 */
export function batchUpdates(onUpdate: (update: RoomUpdate) => void): {
  add: (update: RoomUpdate) => void
  stop: () => void
} {
  let batchedAt = Number.NEGATIVE_INFINITY
  let waiting: RoomUpdate | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = null
    if (!batch) return
    batchedAt = performance.now()
    onUpdate(batch)
  }

  function add(update: RoomUpdate) {
    const { receivedAt, entries = [], ...more } = update
    const before = waiting?.entries ?? []
    const lastId = before.at(-1)?.id ?? 0
    // A new stream sends the waiting entries again.
    const behind = entries.filter(({ id }) => id > lastId)
    const hasEntries = update.entries !== undefined || waiting !== null
    waiting = { ...more, receivedAt, ...(hasEntries && { entries: [...before, ...behind] }) }
    const restMs = batchedAt + BATCH_MS - performance.now()
    if (restMs <= 0 || Object.keys(more).length > 0) flush()
    else timer ??= setTimeout(flush, restMs)
  }

  return { add, stop: () => clearTimeout(timer) }
}
