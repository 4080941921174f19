/** Prints one table of all targets, of the benches that are named. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, isShort, printTable, shown, type Target } from './report.ts'

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
const results = names.map((bench) => {
  const text = readFileSync(join(FOLDER, `${bench}.json`), 'utf8')
  return JSON.parse(text) as { bench: string; targets?: Target[] }
})
const figures = results.flatMap(({ bench, targets = [] }) =>
  targets.map((target) => {
    // JSON has no number for a figure that is not known.
    const known = { ...target, value: target.value ?? Number.NaN }
    return { bench, ...known, reached: isReached(known) }
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
function isReached({ value, atLeast, atMost }: Target): boolean {
  return atLeast === undefined ? value <= (atMost as number) : value >= atLeast
}
