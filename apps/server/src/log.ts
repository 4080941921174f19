/** The product's log: one JSON object a line, or lines for people on a terminal. */
import { type Logger, pino, stdSerializers } from 'pino'

/** What must never stand in a log line, wherever in its facts it might come. */
const SECRET_FIELDS = ['token', 'password', 'seed', 'secret', 'cookie', 'authorization']

/**
 * Makes the log.
 *
 * @param pretty for a person at a terminal, instead of JSON
 */
export function makeLog({ level, pretty }: { level: string; pretty: boolean }): Logger {
  return pino({
    level,
    serializers: { error: stdSerializers.err },
    redact: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
    ...(pretty
      ? {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' },
          },
        }
      : {}),
  })
}
