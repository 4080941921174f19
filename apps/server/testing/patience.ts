/** How long tests let a call be worked on, in milliseconds: a busy machine may be slow, and that is no fault. */
export const ANSWER_WITHIN_MS = 120_000
