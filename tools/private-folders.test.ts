/** Goal: the folders in which commands keep keys and data by default come into no commit and no image. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const COMMANDS = ['witness/run-witness.ts', 'monitor/run-monitor.ts']

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

it.each(['.gitignore', '.containerignore'])('%s names them', (file) => {
  const folders = COMMANDS.map(
    (command) =>
      /folder: .*default: '([^']+)'/.exec(textOf(`packages/fairness/${command}`))?.[1] ?? command,
  )
  const ignored = textOf(file)
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
  expect(ignored).toEqual(expect.arrayContaining(['.data', ...folders]))
})
