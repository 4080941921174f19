import { LIMITS, type Limits, type Work } from '#src/db/limits.ts'

/** How long tests let a call be worked on, in milliseconds: a busy machine may be slow, and that is no fault. */
export const ANSWER_WITHIN_MS = 120_000

const CONNECT_MS = 60_000

/** For pools of tests whose other limits are the usual ones. */
export const PATIENT_TO_CONNECT = { connectMs: CONNECT_MS }

/** The same for each statement of a call. */
const OF_CALL: Limits = {
  connectMs: CONNECT_MS,
  lockMs: 60_000,
  statementMs: 90_000,
  answerMs: 95_000,
}

/** The database's time limits by kind of work; a test of the product's own limits leaves them out. */
export const PATIENT_LIMITS = {
  orders: OF_CALL,
  requests: OF_CALL,
  engine: { ...LIMITS.engine, connectMs: CONNECT_MS },
  jobs: { ...LIMITS.jobs, connectMs: CONNECT_MS },
  files: { ...LIMITS.files, connectMs: CONNECT_MS },
} satisfies Partial<Record<Work, Limits>>
