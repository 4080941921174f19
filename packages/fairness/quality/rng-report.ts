import { LEVEL, type QualityTest } from './quality-tests.ts'

/** One line a test: name, statistic, degrees of freedom, p, p by Holm, verdict. */
export function tableOf(tests: readonly QualityTest[]): string {
  const rows = tests.map((test) => [
    test.name,
    test.statistic.toFixed(2),
    String(test.freedom),
    shortP(test.p),
    shortP(test.adjusted),
    test.passed ? 'passed' : 'FAILED',
  ])
  const head = ['test', 'chi-square', 'df', 'p', 'p by Holm', 'result']
  const widths = head.map((name, i) =>
    Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0), name.length),
  )
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, i) =>
      i === 0 || i === 5 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, i) =>
    i === 0 || i === 5 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** The verdict in a sentence. */
export function verdictOf(tests: readonly QualityTest[]): string {
  const failed = tests.filter((test) => !test.passed)
  const level = `at ${LEVEL} together (Holm)`
  if (failed.length === 0) return `All ${tests.length} tests passed ${level}.`
  const names = failed.map((test) => test.name).join('; ')
  return `${failed.length} of ${tests.length} tests FAILED ${level}: ${names}.`
}

/** Duration and speed, in words. */
export function durationOf({ tookMs, draws }: { tookMs: number; draws: number }): string {
  const perSecond = Math.round((draws / tookMs) * 1000)
  return `${(tookMs / 1000).toFixed(1)} s (${grouped(perSecond)} draws a second)`
}

function shortP(p: number): string {
  return p !== 0 && p < 0.0001 ? p.toExponential(1) : p.toFixed(4)
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
