/** Files that the product keeps beside its database: written whole or not at all. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** There is no room or no right to write, or the store does not answer. */
export class StorageAway extends Error {}

export type FileStore = {
  /**
   * Writes a file that was not there, or is there with the same content.
   * @throws StorageAway where it cannot be kept now; nothing is left behind then
   */
  write(name: string, bytes: Buffer): Promise<void>
  /** A file's content, or null where there is none. @throws StorageAway */
  read(name: string): Promise<Buffer | null>
  /** Removes a file, if it is there. */
  remove(name: string): Promise<void>
  /** Names of the files that were written longer ago than this. */
  olderThan(ageMs: number): Promise<string[]>
}

/** What is being written bears this behind its name until it is whole. */
const UNFINISHED = '.part'

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']

let writes = 0

/**
 * Keeps files in a folder, which is made with the first of them.
 *
 * @param openFile opens a file for writing; a test may hand in another
 */
export function fileStore(
  folder: string,
  openFile = (path: string) => open(path, 'wx'),
): FileStore {
  return {
    async write(name, bytes) {
      await mkdir(folder, { recursive: true })
      writes += 1
      const unfinished = join(folder, `${name}.${process.pid}-${writes}${UNFINISHED}`)
      try {
        const file = await openFile(unfinished)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, join(folder, name))
        await syncFolder(folder)
      } catch (error) {
        await rm(unfinished, { force: true })
        const { code = '' } = error as NodeJS.ErrnoException
        if (NO_ROOM.includes(code)) throw new StorageAway(`${folder}: ${code}`, { cause: error })
        throw error
      }
    },
    read: (name) =>
      readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      }),
    remove: (name) => rm(join(folder, name), { force: true }),
    async olderThan(ageMs) {
      const names = await readdir(folder).catch(() => [])
      const before = Date.now() - ageMs
      const old = await Promise.all(
        names.map(async (name) => {
          const about = await stat(join(folder, name)).catch(() => null)
          return about && about.mtimeMs < before ? [name] : []
        }),
      )
      return old.flat()
    },
  }
}

/** Lets a new name in a folder outlive a power cut, as the content of the file does. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
