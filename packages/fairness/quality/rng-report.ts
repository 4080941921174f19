import { LEVEL, type QualityTest } from './quality-tests.ts'

/** A run of the tests, with everything that is needed to repeat it. */
export interface RngRun {
  readonly draws: number
  /** 32 bytes in hex. */
  readonly seed: string
  readonly tests: readonly QualityTest[]
  readonly tookMs: number
  readonly threads: number
  /** Milliseconds since 1970. */
  readonly endedAt: number
  /** `v24.21.0` and so on. */
  readonly node: string
}

const BEGIN = '<!-- written by npm run rng -- --write: begin -->'
const END = '<!-- written by npm run rng -- --write: end -->'

/** The run as Markdown: what was drawn, how to repeat it, the table and the verdict. */
export function reportOf(run: RngRun): string {
  const date = new Date(run.endedAt).toISOString().slice(0, 10)
  return [
    `- command: \`npm run rng -- --draws ${run.draws} --seed ${run.seed}\``,
    `- date: ${date}; Node ${run.node}; ${durationOf(run)} on ${run.threads} threads`,
    `- draws: ${grouped(run.draws)}, a quarter of them of each game, three digits each`,
    '',
    tableOf(run.tests),
    '',
    `**${verdictOf(run.tests)}**`,
  ].join('\n')
}

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

/**
 * Puts the run into a document in place of the previous one; all other text stays.
 * @param document null when there is none yet
 */
export function withReport(document: string | null, report: string): string {
  const part = `${BEGIN}\n${report}\n${END}`
  if (document === null) return `# Quality of the numbers\n\n${part}\n`
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin === -1 || end < begin) return `${document.trimEnd()}\n\n${part}\n`
  return document.slice(0, begin) + part + document.slice(end + END.length)
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
