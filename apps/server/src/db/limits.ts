/**
 * Time limits of the database, by the kind of work. Nothing waits forever: the server cancels a statement that takes
 * too long, and a statement that gets no answer is given up together with its connection.
 */

export type Limits = {
  /** To get a connection: a free one, or a new one. */
  readonly connectMs: number
  /** To get a lock that another transaction holds. */
  readonly lockMs: number
  /** For a statement, on the server. */
  readonly statementMs: number
  /** For a statement's answer. Longer than the statement's limit, so that no answer means a dead connection. */
  readonly answerMs: number
}

export const LIMITS = {
  /**
   * Two tries, and the time that an order waits for its batch, within the 7 s that the client allows a try. One whose
   * balance is held may take longer: its client asks again with its key.
   */
  orders: { connectMs: 2_000, lockMs: 2_000, statementMs: 2_400, answerMs: 2_700 },
  /** A silent connection is given up before the client's 7 s are over. */
  requests: { connectMs: 5_000, lockMs: 4_000, statementMs: 6_000, answerMs: 6_300 },
  /** A seal must not wait long behind one statement; a settlement takes some time. */
  engine: { connectMs: 5_000, lockMs: 5_000, statementMs: 20_000, answerMs: 22_000 },
  /** The daily checks read a lot. */
  jobs: { connectMs: 5_000, lockMs: 30_000, statementMs: 1_800_000, answerMs: 1_830_000 },
  /** The check of all books has statements that read all of history. */
  allBooks: { connectMs: 5_000, lockMs: 30_000, statementMs: 86_400_000, answerMs: 86_430_000 },
  /** A file has a limit of its own, for all of its reading. */
  files: { connectMs: 5_000, lockMs: 4_000, statementMs: 120_000, answerMs: 125_000 },
} as const satisfies Record<string, Limits>

/** To get a connection at a start, and for a command: nobody waits for an answer, and a busy machine is slow. */
export const CONNECT_AT_START_MS = 30_000

export type Work = keyof typeof LIMITS
