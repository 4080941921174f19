/**
 * Pieces of the program that are loaded when first needed: screens, sheets, texts. A failed load is
 * repeated automatically, and after the last failure on request.
 */

/** The pauses before the second and third try; a dropped connection is often back by then. */
const TRY_AGAIN_MS = [500, 2_000] as const

/** Loads a piece; rejects after three tries. */
export async function loadChunk<Piece>(fetch: () => Promise<Piece>): Promise<Piece> {
  for (const waitMs of TRY_AGAIN_MS) {
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
 * A piece that is loaded once, however often it is requested. A failed one stays failed until
 * {@link retryFailedChunks}; otherwise the component that shows the failure would request it
 * repeatedly.
 */
export function cachedChunk<Piece>(fetch: () => Promise<Piece>): () => Promise<Piece> {
  let kept: Promise<Piece> | null = null
  return () => {
    if (kept) return kept
    kept = loadChunk(fetch)
    kept.catch(() => failed.add(forget))
    return kept
  }
  function forget() {
    kept = null
  }
}

/** Makes failed pieces load again when they are next needed. */
export function retryFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}
