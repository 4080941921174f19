/**
 * Two browser tests may run on one stack, even from different files: if both register the same name, the second would
 * find the first one's account.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', 'e2e')
const REGISTERING =
  /\b(?:registerMember|richMember|registerVisitor|member|enter)\((?:page, )?\w+, '([a-z0-9_]+)'/g

it('each name that browser tests register is registered by one test', () => {
  const names = globSync('*.ts', { cwd: FOLDER }).flatMap((file) =>
    [...readFileSync(join(FOLDER, file), 'utf8').matchAll(REGISTERING)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
