import type { Log } from '#src/process/log.ts'

/** How often an unchanged error is logged. */
const AGAIN_MS = 60_000

type Logged = { what: string; at: number }

const logged = new WeakMap<Log, Map<string, Logged>>()

/**
 * Logs an error that occurs repeatedly: when it is new or its facts have changed, and then once a minute while it
 * lasts.
 *
 * @param about the error's subject, such as one round; each subject is logged separately
 * @param now milliseconds since 1970
 */
export function occasionalError(
  log: Log,
  { about, now, facts }: { about: string; now: number; facts: object },
  text: string,
): void {
  const ofLog = logged.get(log) ?? new Map<string, Logged>()
  logged.set(log, ofLog)
  const what = `${text} ${JSON.stringify(facts)}`
  const before = ofLog.get(about)
  if (before?.what === what && now >= before.at && now - before.at < AGAIN_MS) return
  for (const [other, { at }] of ofLog) if (now - at > 2 * AGAIN_MS) ofLog.delete(other)
  ofLog.set(about, { what, at: now })
  log.error(facts, text)
}
