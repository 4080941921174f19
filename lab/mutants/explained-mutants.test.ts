import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readExplained } from './explained-mutants.ts'

it('a row of the table explains one fault, by function, rule, text and place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-explained-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'explained.md')
  writeFileSync(
    path,
    [
      '| function | rule | text | why |',
      '|---|---|---|---|',
      '| `till.pay` | a condition is left out | `and a \\|\\| b` 2 | It is so. |',
      '| `till.pay` | a sign is turned | `-` | It is gone. |',
    ].join('\n'),
  )
  const explained = readExplained(path)
  const fault = { functionName: 'till.pay', rule: 'a condition is left out', before: 'and a || b' }
  expect(explained.has({ ...fault, occurrence: 2 })).toBe(true)
  expect(explained.has({ ...fault, occurrence: 1 })).toBe(false)
  expect(explained.has({ ...fault, rule: 'a sign is turned', occurrence: 2 })).toBe(false)
  expect(explained.unused([{ ...fault, occurrence: 2 }])).toEqual([
    'till.pay | a sign is turned | - | 1',
  ])
})
