import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { strayError } from './stray-errors.ts'

test('an error that belongs to no test is told with its file, the test that ran, and where it was made', () => {
  const error = Object.assign(new Error('connection lost'), {
    type: 'Uncaught Exception',
    VITEST_TEST_PATH: join(process.cwd(), 'apps/server/src/db/migrate.test.ts'),
    VITEST_TEST_NAME: 'does it once',
    stack: 'Error: connection lost\n    at Socket.emit (node:events:1:1)',
  })
  expect(strayError(error)).toBe(
    `apps/server/src/db/migrate.test.ts › during or after “does it once”
    Uncaught Exception: Error: connection lost
    at Socket.emit (node:events:1:1)
`,
  )
})

test('one of the runner itself is told too', () => {
  expect(strayError({ name: 'Error', message: 'no worker' })).toBe(
    'outside of the test files › outside of a test\n    error: Error: no worker\n',
  )
})

it('nothing of the server, the rules or the draw uses Math.random', () => {
  const folders = ['apps/server', 'packages/domain', 'packages/fairness']
  const list = execFileSync('git', ['ls-files', '-z', ...folders], { encoding: 'utf8' })
  const sources = list.split('\0').filter((file) => file.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.filter((file) => readFileSync(file, 'utf8').includes('Math.random'))).toEqual([])
})
