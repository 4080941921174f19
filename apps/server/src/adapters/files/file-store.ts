/** Files that the product stores outside its database, each written completely or not at all. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** There is no space or no permission to write, or the store does not answer. */
export class StorageAway extends Error {}

export type FileStore = {
  /**
   * Writes a file that does not exist, or that exists with the same content.
   * @throws StorageAway if the file cannot be stored now; then nothing is left behind
   */
  write(name: string, bytes: Buffer): Promise<void>
  /** A file's content, or null if there is no such file. @throws StorageAway */
  read(name: string): Promise<Buffer | null>
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>
  /** Names of the files that were written before this time. */
  olderThan(ageMs: number): Promise<string[]>
}

/** The suffix of a file's name while the file is being written. */
const UNFINISHED = '.part'

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']

let writes = 0

/**
 * Stores files in a folder; the first file makes it.
 *
 * @param openFile opens a file for writing; a test may replace it
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

/** Makes a new name in a folder survive a power cut, as the content of the file does. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
