/** Prints one table of the targets of the benches that are named. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, isShort, printTable, shown, type Target } from './report.ts'

const rows = process.argv
  .slice(2)
  .filter((name) => !name.startsWith('--'))
  .flatMap((bench) => targetsOf(bench).map((target) => rowOf(bench, target)))
const title = isShort ? 'Figures of a short run, which is too short to judge by' : 'Figures'
if (rows.length > 0) printTable(title, rows)

function rowOf(bench: string, { figure, value, unit, atLeast, atMost = Number.NaN }: Target) {
  const isReached = atLeast === undefined ? value <= atMost : value >= atLeast
  return {
    name: `${bench}: ${figure}`,
    value: `${shown(value)} ${unit}`,
    target: `${atLeast === undefined ? '≤' : '≥'} ${shown(atLeast ?? atMost)} ${unit}`,
    reached: isReached ? 'yes' : 'no',
  }
}

function targetsOf(bench: string): Target[] {
  const path = join(FOLDER, `${bench}.json`)
  if (!existsSync(path)) return []
  const { targets = [] } = JSON.parse(readFileSync(path, 'utf8')) as { targets?: Target[] }
  // JSON has no number for a figure that is not known.
  return targets.map((target) => ({ ...target, value: target.value ?? Number.NaN }))
}
