import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own recursive way loses the cause on a read-only file system, and under
 * /proc it never returns. @throws the system's error.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
