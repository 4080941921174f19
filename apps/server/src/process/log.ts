/** The product's log: one JSON object a line, or lines for people on a terminal. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

/** What must never appear in a log line, wherever in its facts it is. */
const SECRET_FIELDS = ['token', 'password', 'seed', 'secret', 'cookie', 'authorization']

/**
 * Makes the log.
 *
 * @param pretty for a person at a terminal, instead of JSON
 * @param to where lines go that are not pretty: standard output by default
 */
export function makeLog({
  level,
  pretty,
  to,
}: {
  level: string
  pretty: boolean
  to?: DestinationStream
}): Logger {
  const options = {
    level,
    serializers: { error: errorFacts },
    redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  }
  if (!pretty) return to ? pino(options, to) : pino(options)
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
    },
  })
}

/** What a part needs of the log to write in it. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Only these fields of an error are logged: a database's errors contain whole rows, a mail's errors addresses. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const { code, constraint, table } = error as {
    code?: string
    constraint?: string
    table?: string
  }
  return { type, message, stack, code, constraint, table }
}

/** How often an unchanged line is logged. */
const AGAIN_MS = 60_000

type Logged = { what: string; at: number }

const logged = new WeakMap<Log, Map<string, Logged>>()

/**
 * Logs what occurs repeatedly, by default as an error: when it is new or its facts have changed, and then once a minute while it
 * lasts.
 *
 * @param about the error's subject, such as one round; each subject is logged separately
 * @param now milliseconds since 1970
 */
export function occasionally(
  log: Log,
  { about, now, facts }: { about: string; now: number; facts: object },
  text: string,
  level: 'warn' | 'error' = 'error',
): void {
  const ofLog = logged.get(log) ?? new Map<string, Logged>()
  logged.set(log, ofLog)
  const what = `${text} ${JSON.stringify(facts)}`
  const before = ofLog.get(about)
  if (before?.what === what && now >= before.at && now - before.at < AGAIN_MS) return
  for (const [other, { at }] of ofLog) if (now - at > 2 * AGAIN_MS) ofLog.delete(other)
  ofLog.set(about, { what, at: now })
  log[level](facts, text)
}
