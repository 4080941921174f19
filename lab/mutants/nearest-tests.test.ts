import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readExplained } from './explained-mutants.ts'
import { nearestTests } from './nearest-tests.ts'

it('tests are those of the module, and those beside a text that calls the function', () => {
  const root = mkdtempSync(join(tmpdir(), 'sum28-nearest-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const modules = 'apps/server/src/modules'
  const files = {
    [`${modules}/till/whole.test.ts`]: 'useWorkersApp()',
    [`${modules}/till/pay-all.test.ts`]: '',
    [`${modules}/bank/far.test.ts`]: '',
    [`${modules}/bank/close.ts`]: `query('select till.pay_all($1)')`,
    [`${modules}/shop/none.test.ts`]: '',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const functions = new Map([
    ['till.pay', 'select 1'],
    ['till.pay_all', 'perform till.pay(1)'],
  ])
  expect(nearestTests(root, functions)('till.pay')).toEqual([
    `${modules}/till/pay-all.test.ts`,
    `${modules}/bank/far.test.ts`,
    `${modules}/till/whole.test.ts`,
  ])
})

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
