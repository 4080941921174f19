/** What root writes in the folder of an ordinary user, who must be able to read it when he starts the program himself. */
import { lchownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives a file or folder that root has just made to the owner of the folder that it is in. Other users give nothing. */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  try {
    lchownSync(path, uid, gid)
  } catch {
    // A file system without owners needs none, and some roots may not give: the file is there all the same.
  }
}
