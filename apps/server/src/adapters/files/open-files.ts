import { resolve } from 'node:path'
import type { Config } from '#src/config.ts'
import { type FileStore, fileStore } from './file-store.ts'

/** The file store of the configuration: an S3 store, or the data folder. */
export async function openFiles(deps: {
  config: Pick<Config, 's3' | 'dataDir'>
  ending: AsyncDisposableStack
}): Promise<FileStore> {
  const { config, ending } = deps
  if (!config.s3) return fileStore(resolve(config.dataDir, 'uploads'))
  // Imported only if needed, because it is large.
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(config.s3, ending)
}
