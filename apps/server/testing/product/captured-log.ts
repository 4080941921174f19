/** What the product tells its operator, for tests to read. */
import { makeLog } from '#src/process/log.ts'

/** A log whose lines a test can read. */
export function captureLog(level = 'trace') {
  const lines: string[] = []
  return {
    /** Every line so far, in printed form. */
    lines: lines as readonly string[],
    log: makeLog({ level, pretty: false, to: { write: (line) => void lines.push(line) } }),
  }
}

/** The value of a metric in the text of all of them; undefined if it is not there. */
export function metricIn(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
