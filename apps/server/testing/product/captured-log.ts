/** A log whose lines a test can read. */
import { makeLog } from '#src/process/log.ts'

export function captureLog(level = 'trace') {
  const lines: string[] = []
  return {
    /** Every line so far, in printed form. */
    lines: lines as readonly string[],
    log: makeLog({ level, pretty: false, to: { write: (line) => void lines.push(line) } }),
  }
}
