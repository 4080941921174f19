/** How long what is due may be without its place in a signed log: seconds, of which a house needs a few. */
export const UNLOGGED_MAX_S = 600

/** How long a house may take to settle a round, to refund a voided one's stakes and to publish its seed: seconds. */
export const UNSETTLED_MAX_S = 900

/** How long after its end a round may be without a decision: seconds. A deadline far ahead would let it wait for ever. */
export const DEADLINE_MAX_S = 86_400
