import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchSources } from './watch-sources.ts'

let root: string
let changes: string[]
let stop: () => void

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sum28-sources-'))
  write('src/deep/a.ts')
  changes = []
  stop = watchSources({ root, folders: ['src'], changed: (path: string) => changes.push(path) })
})

afterEach(() => {
  stop()
  rmSync(root, { recursive: true, force: true })
})

function write(path: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), '')
}

async function expectChange(path: string): Promise<void> {
  await expect.poll(() => changes, { interval: 5 }).toContain(path)
  // All events of this change.
  await new Promise((resolve) => setTimeout(resolve, 20))
  changes.length = 0
}

test('a file is watched also after another one was renamed to its name', async () => {
  for (let times = 0; times < 2; times += 1) {
    write('src/deep/a.ts.new')
    renameSync(join(root, 'src/deep/a.ts.new'), join(root, 'src/deep/a.ts'))
    await expectChange('src/deep/a.ts')
    write('src/deep/a.ts')
    await expectChange('src/deep/a.ts')
  }
})

test('a folder is watched that was made later, moved, or made again', async () => {
  write('src/new/deeper/b.sql')
  await expectChange('src/new/deeper/b.sql')
  write('src/new/deeper/b.sql')
  await expectChange('src/new/deeper/b.sql')
  renameSync(join(root, 'src/new'), join(root, 'src/moved'))
  await expectChange('src/moved/deeper/b.sql')
  rmSync(join(root, 'src/moved'), { recursive: true })
  write('src/moved/deeper/b.sql')
  await expectChange('src/moved/deeper/b.sql')
  write('src/moved/deeper/b.sql')
  await expectChange('src/moved/deeper/b.sql')
})

test('tests and other files are no sources', async () => {
  for (const path of ['src/a.test.ts', 'src/testing/b.ts', 'src/c.md']) write(path)
  write('src/d.json')
  await expectChange('src/d.json')
  for (const path of ['src/a.test.ts', 'src/testing/b.ts', 'src/c.md']) write(path)
  write('src/d.json')
  await expect.poll(() => changes).toContain('src/d.json')
  expect(new Set(changes)).toEqual(new Set(['src/d.json']))
})
