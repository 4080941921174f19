/** What the server leaves to chance comes from the operating system's generator, so that nobody can predict it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('nothing of the server, the rules or the draw uses Math.random', () => {
  const folders = ['apps/server', 'packages/domain', 'packages/fairness']
  const list = execFileSync('git', ['ls-files', '-z', ...folders], { encoding: 'utf8' })
  const sources = list.split('\0').filter((file) => file.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.filter((file) => readFileSync(file, 'utf8').includes('Math.random'))).toEqual([])
})
