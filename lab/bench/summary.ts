/** Prints one table of the figures that have a target, of the benches that are named. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, FOLDER, isShort, printTable, rowOf } from './report.ts'

const rows = process.argv
  .slice(2)
  .map((bench) => ({ bench, path: join(FOLDER, `${bench}.json`) }))
  .filter(({ path }) => existsSync(path))
  .flatMap(({ bench, path }) => {
    const { figures } = JSON.parse(readFileSync(path, 'utf8')) as { figures: Figure[] }
    const withTarget = figures.filter(({ atLeast, atMost }) => (atLeast ?? atMost) !== undefined)
    // JSON has no number for a figure that is not known.
    return withTarget.map(({ value, ...figure }) =>
      rowOf({ ...figure, name: `${bench}: ${figure.name}`, value: value ?? Number.NaN }),
    )
  })
const title = isShort ? 'Figures of a short run, which is too short to judge by' : 'Figures'
if (rows.length > 0) printTable(title, rows)
