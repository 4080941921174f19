import { resolve } from 'node:path'
import type { Config } from '#src/config.ts'
import { type FileStore, fileStore } from './file-store.ts'

/** The files of the configuration: in a store that speaks S3, or in the data folder. */
export async function openFiles(deps: {
  config: Pick<Config, 's3' | 'dataDir'>
  ending: AsyncDisposableStack
}): Promise<FileStore> {
  const { config, ending } = deps
  if (!config.s3) return fileStore(resolve(config.dataDir, 'uploads'))
  // Read where it is needed alone: it is large.
  const { s3Store } = await import('./s3-store.ts')
  return s3Store(config.s3, ending)
}
