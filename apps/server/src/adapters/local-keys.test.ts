import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { storeFirst } from './local-keys.ts'

it('of two that store their keys, the second goes on with those of the first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'new', 'keys.json')
  expect([storeFirst(file, 'one'), storeFirst(file, 'two')]).toEqual(['one', 'one'])
  expect(readdirSync(join(folder, 'new'))).toEqual(['keys.json'])
})
