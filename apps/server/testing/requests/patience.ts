import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * How long a test waits for an event that must come. It measures no speed; it only ends a wait in vain. A machine may
 * be slow and busy with other work.
 */
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 30_000)

/**
 * What one look counts of it at most: the product often runs in the test's own process, and where both stood still, the
 * time has given it no chance to do anything.
 */
const LOOK_COUNTS_MS = 500

type Look<Found> = Found | false | null | undefined

/**
 * Calls repeatedly until there is a value, or what is looked for is true, for {@link PATIENCE_MS} at most, without the
 * time that all stood still.
 */
export async function eventually<Found>(
  look: () => Look<Found> | Promise<Look<Found>>,
): Promise<Found> {
  let left = PATIENCE_MS
  for (;;) {
    const begun = performance.now()
    const value = await look()
    if (value !== null && value !== undefined && value !== false) return value
    if (left <= 0) throw new Error(`nothing came within ${PATIENCE_MS} ms`)
    await new Promise((again) => setTimeout(again, 30))
    left -= Math.min(LOOK_COUNTS_MS, performance.now() - begun)
  }
}

/** Waits by the machine's clock, or until the signal: for parts that are given such a function. */
export async function machineWait(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
