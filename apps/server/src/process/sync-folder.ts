import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Forces to the disk which files a folder has: without it a cut of the power takes a new name away, or a rename back. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
