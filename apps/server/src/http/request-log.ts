/** The log of a request; each line names the request. */
import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]
type Line = Parameters<FastifyBaseLogger['info']>

/**
 * A child of the product's log, made when the first line is written: making it costs more than many a request, and
 * hardly any request writes a line.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: Options
  #made: FastifyBaseLogger | null = null

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options)
    return this.#made
  }

  get level(): string {
    return this.#parent.level
  }
  child(...more: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...more)
  }
  fatal(...line: Line): void {
    this.#log.fatal(...line)
  }
  error(...line: Line): void {
    this.#log.error(...line)
  }
  warn(...line: Line): void {
    this.#log.warn(...line)
  }
  info(...line: Line): void {
    this.#log.info(...line)
  }
  debug(...line: Line): void {
    this.#log.debug(...line)
  }
  trace(...line: Line): void {
    this.#log.trace(...line)
  }
  silent(...line: Line): void {
    this.#log.silent(...line)
  }
}

/** Makes the log of one request; called by the server. */
export function requestLog(
  parent: FastifyBaseLogger,
  bindings: Bindings,
  options: Options,
): FastifyBaseLogger {
  return new RequestLog(parent, bindings, options) as unknown as FastifyBaseLogger
}
