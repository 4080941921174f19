/**
 * Watches each folder for itself. Node's `recursive` is not used: on Linux it stays with the file that had a name first,
 * and misses every change after an editor or git has put another file in its place.
 */
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join, sep } from 'node:path'

const SOURCE = /\.(ts|sql|json)$/
const TEST = /\.test\.ts$|(^|\/)testing\//

/**
 * Watches the sources in folders and in all folders below them, also in those that are made later.
 *
 * @param folders and the path that has changed are relative to the root
 * @returns what ends it
 */
export function watchSources({
  root,
  folders,
  changed,
}: {
  root: string
  folders: readonly string[]
  changed: (path: string) => void
}): () => void {
  const watchers = new Map<string, FSWatcher>()
  for (const folder of folders) watchTree(folder)

  /** @returns the files in it, at all depths */
  function watchTree(folder: string): string[] {
    const watcher = watch(join(root, folder), (_, name) => {
      if (name) notice(join(folder, name))
    })
    watchers.set(folder, watcher)
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? watchTree(path) : [path]
    })
  }

  function notice(path: string): void {
    // A folder may have been deleted and made anew.
    forgetTree(path)
    try {
      const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()
      // What came into a new folder before it was watched has changed too.
      for (const file of isFolder ? watchTree(path) : [path]) report(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // It, or a folder in it, was deleted meanwhile.
      notice(path)
    }
  }

  function report(path: string): void {
    if (SOURCE.test(path) && !TEST.test(path)) changed(path)
  }

  function forgetTree(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue
      watcher.close()
      watchers.delete(path)
    }
  }

  return () => {
    for (const watcher of watchers.values()) watcher.close()
  }
}
