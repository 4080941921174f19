/** Prints the figures of a bench, and keeps them for other programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadResult } from './http-load.ts'

export const FOLDER = fileURLToPath(new URL('../../.cache/bench/', import.meta.url))

/** Whether seconds are to be enough, as where only the bench itself is tested. */
export const isShort = process.argv.includes('--short')

export type Figure = { name: string; value: number; unit: string }

/** A figure beside what it is to reach: at least so much, or at most. */
export type Target = { figure: string; value: number; unit: string } & (
  | { atLeast: number; atMost?: never }
  | { atMost: number; atLeast?: never }
)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function medianOf<Run>(runs: readonly Run[], of: (run: Run) => number): number {
  return median(runs.map(of))
}

/** How many times as fast as others: the median turn by turn, for the machine is not equally fast in all. */
export function ratioOf(
  runs: readonly { perSecond: number }[],
  others: readonly { perSecond: number }[],
): number {
  return median(
    runs.map(({ perSecond }, turn) => perSecond / (others[turn]?.perSecond ?? Number.NaN)),
  )
}

/** Microseconds of a process's processor time for one answer. */
function microsecondsEach(
  runs: readonly { perSecond: number; cpuShare: Record<string, number> }[],
  name: string,
): number {
  return medianOf(runs, ({ cpuShare, perSecond }) => ((cpuShare[name] ?? 0) * 1e6) / perSecond)
}

/** Prints figures, each on a line. */
export function report(title: string, figures: readonly Figure[]): void {
  printTable(
    title,
    figures.map(({ name, value, unit }) => ({ name, value: `${shown(value)} ${unit}` })),
  )
}

/** The columns of a table that are the same for all calls over HTTP, besides their rate. */
export function answerColumns(runs: readonly LoadResult[]) {
  return {
    'p50 ms': medianOf(runs, ({ p50 }) => p50),
    'p99 ms': medianOf(runs, ({ p99 }) => p99),
    bytes: medianOf(runs, ({ bytesOfAnswer }) => bytesOfAnswer),
    'server µs': microsecondsEach(runs, 'server'),
    'database µs': microsecondsEach(runs, 'database'),
    'generator µs': microsecondsEach(runs, 'generator'),
  }
}

/** A row of a table: a name, and figures by their heading. */
export type Row = { name: string; [heading: string]: string | number }

/** Prints rows as a table in Markdown. */
export function printTable(title: string, rows: readonly Row[]): void {
  const headings = Object.keys(rows[0] ?? {})
  const lines = [
    headings,
    headings.map(() => '---'),
    ...rows.map((row) => headings.map((heading) => shown(row[heading]))),
  ]
  console.log(`\n${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
}

/** What a bench keeps, and of it what has a target. */
type Figures = { targets?: readonly Target[]; [name: string]: unknown }

/** Writes a bench's figures to .cache/bench/<name>.json; summary.ts makes a table of all targets. */
export function saveFigures(name: string, figures: Figures): void {
  mkdirSync(FOLDER, { recursive: true })
  const run = {
    bench: name,
    at: new Date().toISOString(),
    short: isShort,
    cpus: availableParallelism(),
  }
  writeFileSync(
    join(FOLDER, `${name}.json`),
    `${JSON.stringify({ ...run, ...figures }, null, 2)}\n`,
  )
}

/** A figure with as many digits as it is exact to; others as they are. */
export function shown(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? ''
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}
