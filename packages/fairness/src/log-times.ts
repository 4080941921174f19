/** How long what is due may be without its place in a signed log: seconds, of which a house needs a few. */
export const UNLOGGED_MAX_S = 600
