/**
 * How long the database may take, by the kind of work. Nothing waits for ever: a statement that takes
 * too long is ended by the server, and one that is never answered is given up with its connection.
 */

export type Limits = {
  /** For a connection: one that is free, or a new one. */
  readonly connectMs: number
  /** For a lock that another transaction holds. */
  readonly lockMs: number
  /** For a statement, on the server. */
  readonly statementMs: number
  /** For a statement's answer. Longer than the statement may take, so that silence means a dead connection. */
  readonly answerMs: number
}

export const LIMITS = {
  /** Two tries, and what an order waits for a batch, within the 7 s that the client gives a try. */
  orders: { connectMs: 2_000, lockMs: 2_000, statementMs: 2_400, answerMs: 2_700 },
  /** A connection that is silent is given up within the client's 7 s. */
  requests: { connectMs: 5_000, lockMs: 4_000, statementMs: 6_000, answerMs: 6_300 },
  /** A seal must not wait long behind one statement; a settlement takes some time. */
  engine: { connectMs: 5_000, lockMs: 5_000, statementMs: 20_000, answerMs: 22_000 },
  /** The daily checks read much. */
  jobs: { connectMs: 5_000, lockMs: 30_000, statementMs: 1_800_000, answerMs: 1_830_000 },
  /** The read of a replica that fails is made again of the primary, within the 7 s of the client's try. */
  replica: { connectMs: 1_000, lockMs: 1_000, statementMs: 2_500, answerMs: 2_800 },
  /** A file has a limit of its own, for all of its reading. */
  files: { connectMs: 5_000, lockMs: 4_000, statementMs: 120_000, answerMs: 125_000 },
} as const satisfies Record<string, Limits>

export type Work = keyof typeof LIMITS
