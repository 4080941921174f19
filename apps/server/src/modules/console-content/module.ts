/** The console's area content: articles, notices, banners, about. */
import type { FileStore } from '#src/adapters/files/file-store.ts'
import type { Resources } from '#src/resources.ts'
import { consoleContentDownloads, consoleContentRoutes } from './routes.ts'

/** @param pictures the store of the pictures that are served */
export function consoleContentModule(deps: Resources, pictures: FileStore) {
  return { routes: consoleContentRoutes(deps, pictures), downloads: consoleContentDownloads(deps) }
}
