/**
 * One table of all targets, of the benches that are named: printed, and written to .cache/bench/all.json. Of a long
 * run also a chart, docs/pictures/figures.svg.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDER, isShort, printTable, shown, type Target } from './report.ts'
import { drawTargets } from './target-chart.ts'

const CHART = fileURLToPath(new URL('../../docs/pictures/figures.svg', import.meta.url))

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
const results = names.map((bench) => {
  const text = readFileSync(join(FOLDER, `${bench}.json`), 'utf8')
  return JSON.parse(text) as { bench: string; at: string; targets?: Target[] }
})
const figures = results.flatMap(({ bench, at, targets = [] }) =>
  targets.map((target) => {
    // JSON has no number for a figure that is not known.
    const known = { ...target, value: target.value ?? Number.NaN }
    return { bench, at, ...known, reached: isReached(known) }
  }),
)
printTable(
  isShort ? 'Figures of a short run, which is too short to judge by' : 'Figures',
  figures.map(({ bench, figure, value, unit, atLeast, atMost, reached }) => ({
    name: `${bench}: ${figure}`,
    value: `${shown(value)} ${unit}`,
    target: atLeast === undefined ? `≤ ${shown(atMost)} ${unit}` : `≥ ${shown(atLeast)} ${unit}`,
    ...(isShort ? {} : { reached: reached ? 'yes' : 'no' }),
  })),
)
const summary = {
  at: new Date().toISOString(),
  short: isShort,
  cpus: availableParallelism(),
  figures,
}
writeFileSync(join(FOLDER, 'all.json'), `${JSON.stringify(summary, null, 2)}\n`)
if (!isShort) writeFileSync(CHART, drawTargets(figures))

function isReached({ value, atLeast, atMost }: Target): boolean {
  return atLeast === undefined ? value <= (atMost as number) : value >= atLeast
}
