/**
 * Pieces of the program that are fetched when they are first needed: screens, sheets, texts. A fetch
 * that fails is tried again by itself, and what failed for good is tried again once somebody asks.
 */

/** Waits before the second try and the third; a dropped connection is often back by then. */
const TRY_AGAIN_MS = [500, 2_000] as const

/** Fetches a piece; rejects after three tries. */
export async function fetchPiece<Piece>(fetch: () => Promise<Piece>): Promise<Piece> {
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
 * A piece that is fetched once, however often it is asked for. One that failed stays failed until
 * {@link tryFailedPieces}: what shows the failure would else ask again and again.
 */
export function keptPiece<Piece>(fetch: () => Promise<Piece>): () => Promise<Piece> {
  let kept: Promise<Piece> | null = null
  return () => {
    if (kept) return kept
    kept = fetchPiece(fetch)
    kept.catch(() => failed.add(forget))
    return kept
  }
  function forget() {
    kept = null
  }
}

/** Has what failed fetched anew when it is needed next. */
export function tryFailedPieces(): void {
  for (const forget of failed) forget()
  failed.clear()
}
