/** How long tests let a call be worked on, in milliseconds: a busy machine may be slow, and that is no fault. */
export const ANSWER_WITHIN_MS = 120_000

/** The same for each statement of a call. */
export const REQUEST_LIMITS = {
  connectMs: 60_000,
  lockMs: 60_000,
  statementMs: 90_000,
  answerMs: 95_000,
}
