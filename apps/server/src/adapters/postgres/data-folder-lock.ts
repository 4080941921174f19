import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import { diskFull, StartError, unwritableFolder } from '#src/process/start-error.ts'
import { isAlive } from './leftover-server.ts'

/** A held lock; the kernel also releases it when the process ends. */
export type DataFolderLock = { release(): void }

/** References keep the databases from the garbage collector, which would close them and release the locks. */
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Locks a data folder for this process, and makes the folder if it is missing.
 *
 * The lock is the write lock of an empty SQLite file, which is a lock of the operating system: a crash leaves nothing
 * to clean up, and a reused process id has no effect.
 *
 * @param purpose names the lock, so that a folder may have several; it begins the files' names.
 * @throws StartError if another process holds the lock, or the folder is not writable.
 */
export function lockDataFolder({
  folder,
  purpose = 'sum28',
}: {
  folder: string
  purpose?: string
}): DataFolderLock {
  makeWritable(folder)
  const ownerFile = join(folder, `${purpose}.pid`)
  const lockFile = join(folder, `${purpose}.lock`)
  const database = takeWriteLock({ folder, file: lockFile, ownerFile })
  giveToOwner(lockFile)
  try {
    writeFileSync(ownerFile, `${process.pid}\n`)
    giveToOwner(ownerFile)
  } catch (error) {
    database.close()
    throw unwritableFolder({ folder, cause: error })
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

function makeWritable(folder: string): void {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritableFolder({ folder, cause: error })
  }
}

function takeWriteLock({
  folder,
  file,
  ownerFile,
}: {
  folder: string
  file: string
  ownerFile: string
}): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('BEGIN IMMEDIATE')
    return database
  } catch (error) {
    database?.close()
    if (sqliteCode(error) === SQLITE_BUSY) {
      throw new StartError(
        `Sum28 is already running on the data folder ${folder}${ownerNote(ownerFile)}: stop it first, or name another folder with DATA_DIR.`,
      )
    }
    if (sqliteCode(error) === SQLITE_FULL) throw diskFull(folder)
    throw unwritableFolder({ folder, cause: error })
  }
}

/** SQLite's primary result code (https://sqlite.org/rescode.html), or -1. */
function sqliteCode(error: unknown): number {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
    return error.errcode & 0xff
  }
  return -1
}

/** Empty if the owner's number is not known: only the lock counts, its file is a hint. */
function ownerNote(ownerFile: string): string {
  try {
    const owner = Number.parseInt(readFileSync(ownerFile, 'utf8'), 10)
    return owner > 0 && isAlive(owner) ? ` (process ${owner})` : ''
  } catch {
    return ''
  }
}

/**
 * Makes a folder and its parents. Node's own recursive way loses the cause on a read-only file system, and under
 * /proc it never returns. @throws the system's error.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
    giveToOwner(folder)
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
