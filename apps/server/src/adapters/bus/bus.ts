/**
 * Events between processes. An event says that something changed, and where, but not what: its receiver reads the
 * database. Events may be lost, repeated or late. That costs freshness and never correctness, so no part may depend
 * on them: every receiver also polls from time to time.
 */

/**
 * `betsPlaced`: new bets in this room. `roundChanged`: a round of this game was opened, sealed, drawn or settled, or
 * something in it was stopped or set. `clockMoved`: the database's clock was set, as tests do; the id says nothing.
 */
export type BusEvent = {
  readonly topic: 'betsPlaced' | 'roundChanged' | 'clockMoved'
  readonly id: number
}

export type Bus = {
  /** Delivers at once in this process, and soon in the others. Never fails or blocks. */
  publish(events: readonly BusEvent[]): void
  /** @returns the function that ends the subscription */
  subscribe(receive: (event: BusEvent) => void): () => void
  close(): Promise<void>
}
