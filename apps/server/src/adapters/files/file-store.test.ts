import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { open, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileStore, StorageAway } from './file-store.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sum28-files-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return join(made, 'uploads')
}

describe('a file', () => {
  it('is written whole, in a folder that is made for it, and nothing else is', async () => {
    const place = folder()
    const store = fileStore(place)
    await Promise.all([store.write('a', Buffer.from('one')), store.write('a', Buffer.from('one'))])
    await store.write('b', Buffer.alloc(100_000, 7))
    expect(readdirSync(place).sort()).toEqual(['a', 'b'])
    expect(await store.read('a')).toEqual(Buffer.from('one'))
    await store.remove('a')
    await store.remove('a')
    expect(readdirSync(place)).toEqual(['b'])
    expect(await store.read('a')).toBeNull()
  })

  // The kernel's own device that has no room; other systems than Linux have none.
  it.skipIf(!existsSync('/dev/full'))('is not there at all when the disk is full', async () => {
    const place = folder()
    const store = fileStore(place, async (path) => {
      await symlink('/dev/full', path)
      return open(path, 'w')
    })
    await expect(store.write('a', Buffer.from('one'))).rejects.toThrow(StorageAway)
    expect(readdirSync(place)).toEqual([])
  })

  it('is unchanged if writing it again fails', async () => {
    const place = folder()
    await fileStore(place).write('a', Buffer.from('one'))
    const failing = fileStore(place, async () => {
      throw Object.assign(new Error('broken'), { code: 'EIO' })
    })
    await expect(failing.write('a', Buffer.from('two'))).rejects.toThrow('broken')
    expect(readFileSync(join(place, 'a'), 'utf8')).toBe('one')
  })

  it('is found when it is old', async () => {
    const place = folder()
    const store = fileStore(place)
    expect(await store.olderThan(0)).toEqual([])
    for (const name of ['old', 'new']) await store.write(name, Buffer.from('x'))
    const before = (Date.now() - 7_200_000) / 1_000
    utimesSync(join(place, 'old'), before, before)
    expect(await store.olderThan(3_600_000)).toEqual(['old'])
  })
})
