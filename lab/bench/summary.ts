/** Prints one table of the targets of the benches that are named. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, isShort, printTable, shown, type Target } from './report.ts'

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
printTable(
  isShort ? 'Figures of a short run, which is too short to judge by' : 'Figures',
  names.flatMap((bench) =>
    targetsOf(bench).map(({ figure, value, unit, atLeast, atMost }) => ({
      name: `${bench}: ${figure}`,
      value: `${shown(value)} ${unit}`,
      target: atLeast === undefined ? `≤ ${shown(atMost)} ${unit}` : `≥ ${shown(atLeast)} ${unit}`,
      reached: (atLeast === undefined ? value <= (atMost as number) : value >= atLeast)
        ? 'yes'
        : 'no',
    })),
  ),
)

function targetsOf(bench: string): Target[] {
  const path = join(FOLDER, `${bench}.json`)
  if (!existsSync(path)) return []
  const { targets = [] } = JSON.parse(readFileSync(path, 'utf8')) as { targets?: Target[] }
  // JSON has no number for a figure that is not known.
  return targets.map((target) => ({ ...target, value: target.value ?? Number.NaN }))
}
