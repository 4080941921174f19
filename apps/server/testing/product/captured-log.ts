/** A log whose lines a test can read. */
import type { Logger } from 'pino'
import { makeLog } from '#src/process/log.ts'

export type CapturedLog = {
  log: Logger
  /** Every line so far, in printed form. */
  readonly lines: readonly string[]
}

export function captureLog(level = 'trace'): CapturedLog {
  const lines: string[] = []
  return {
    lines,
    log: makeLog({ level, pretty: false, to: { write: (line) => void lines.push(line) } }),
  }
}
