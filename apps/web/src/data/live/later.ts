/** A fact as the server said it, with the server's own count of its changes. */
export type Versioned = { readonly version: bigint }

/**
 * The later one of two states of a fact, whoever brought it and whenever it was asked for: the one with the greater
 * version. Equal versions are one state, and the one that came last is as good.
 */
export function laterOf<Fact extends Versioned>(
  known: Fact | null | undefined,
  received: Fact,
): Fact {
  return known && received.version < known.version ? known : received
}
