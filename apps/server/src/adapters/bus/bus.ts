/**
 * News between processes: that something changed, and where, never what. Who hears it looks into the
 * database. News may be lost, doubled or late; that costs freshness and never truth, so nobody may
 * depend on it: whoever listens also looks by himself from time to time.
 */

/**
 * `room`: new bets in this room. `game`: a round of this game was opened, sealed, drawn or settled, or
 * something in it was stopped or set.
 */
export type News = { readonly topic: 'room' | 'game'; readonly id: number }

export type Bus = {
  /** Tells this process at once and the others soon. Never fails and waits for nothing. */
  publish(news: readonly News[]): void
  /** @returns the function that ends it */
  subscribe(hear: (news: News) => void): () => void
  close(): Promise<void>
}

/** The part of a bus that lies within this process. */
export function listeners(): {
  tell(news: News): void
  add(hear: (news: News) => void): () => void
} {
  const all = new Set<(news: News) => void>()
  return {
    tell(news) {
      for (const hear of all) hear(news)
    },
    add(hear) {
      all.add(hear)
      return () => all.delete(hear)
    },
  }
}
