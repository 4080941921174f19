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
