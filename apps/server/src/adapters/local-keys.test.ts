import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { storeFirst } from './local-keys.ts'

it('of two that store their keys, the second goes on with those of the first', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'new', 'keys.json')
  expect([storeFirst(file, 'one'), storeFirst(file, 'two')]).toEqual(['one', 'one'])
  expect(readdirSync(join(folder, 'new'))).toEqual(['keys.json'])
})
