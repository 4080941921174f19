/**
 * Chunks: parts of the program that are loaded when first needed (screens, sheets, texts). A failed load
 * is retried automatically, and after the last failure on request.
 */

/** The pauses before the second and third try; a lost connection is often back by then. */
const RETRY_PAUSES_MS = [500, 2_000] as const

/** Loads a chunk; rejects after three tries. */
export async function loadChunk<Chunk>(fetch: () => Promise<Chunk>): Promise<Chunk> {
  for (const waitMs of RETRY_PAUSES_MS) {
    try {
      return await fetch()
    } catch {
      await new Promise((done) => setTimeout(done, waitMs))
    }
  }
  return fetch()
}

const failed = new Set<() => void>()

/**
 * A chunk that is loaded once, however often it is requested. A failed one stays failed until
 * {@link retryFailedChunks}; otherwise the component that shows the failure would request it
 * repeatedly.
 */
export function cachedChunk<Chunk>(fetch: () => Promise<Chunk>): () => Promise<Chunk> {
  let cached: Promise<Chunk> | null = null
  return () => {
    if (cached) return cached
    cached = loadChunk(fetch)
    cached.catch(() => failed.add(forget))
    return cached
  }
  function forget() {
    cached = null
  }
}

/** Makes failed chunks load again when they are next needed. */
export function retryFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}
