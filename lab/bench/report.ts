/** Prints the figures of a bench, and keeps them for other programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadResult } from './load-generator.ts'

export const FOLDER = fileURLToPath(new URL('../../.cache/bench/', import.meta.url))

/** Whether seconds are to be enough, as where only the bench itself is tested. */
export const isShort = process.argv.includes('--short')

/** A figure, and what it is to reach if it has a target: at least so much, or at most. */
export type Figure = {
  name: string
  value: number
  unit: string
  atLeast?: number
  atMost?: number
}

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

/** The columns of a table that are the same for all calls over HTTP, besides their rate. */
export function answerColumns(runs: readonly LoadResult[]) {
  const microseconds = (name: string) =>
    medianOf(runs, ({ cpuShare, perSecond }) => ((cpuShare[name] ?? 0) * 1e6) / perSecond)
  return {
    'p50 ms': medianOf(runs, ({ p50 }) => p50),
    'p99 ms': medianOf(runs, ({ p99 }) => p99),
    bytes: medianOf(runs, ({ bytesOfAnswer }) => bytesOfAnswer),
    'server µs': microseconds('server'),
    'database µs': microseconds('database'),
    'generator µs': microseconds('generator'),
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

/**
 * Prints figures beside their targets, and writes them with all else that a bench has found to
 * .cache/bench/<bench>.json; summary.ts makes one table of those that have a target.
 */
export function report(bench: string, figures: readonly Figure[], more: object = {}): void {
  if (figures.length > 0) printTable(`Figures of ${bench}`, figures.map(rowOf))
  mkdirSync(FOLDER, { recursive: true })
  const run = { bench, at: new Date().toISOString(), short: isShort, cpus: availableParallelism() }
  const text = JSON.stringify({ ...run, ...more, figures }, null, 2)
  writeFileSync(join(FOLDER, `${bench}.json`), `${text}\n`)
}

export function rowOf({ name, value, unit, atLeast, atMost }: Figure): Row {
  const isReached = atLeast === undefined ? value <= Number(atMost) : value >= atLeast
  const bound = atLeast ?? atMost
  return {
    name,
    value: `${shown(value)} ${unit}`,
    target: bound === undefined ? '' : `${atLeast === undefined ? '≤' : '≥'} ${shown(bound)}`,
    reached: bound === undefined ? '' : isReached ? 'yes' : 'no',
  }
}

/** A figure with as many digits as it is exact to; others as they are. */
function shown(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? ''
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}
