/** An S3 store with signed requests, on its own port. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { onTestFinished } from 'vitest'

export type S3Server = {
  /** For `S3_URL`; another bucket or key is refused. */
  url(target?: { bucket?: string; key?: string }): string
  stop(): Promise<void>
}

const BUCKET = 'pictures'

/** Starts a store with one bucket; it stops with the test. */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'sum28-s3-'))
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= server.close()
    return stopped
  }
  onTestFinished(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    url: ({ bucket = BUCKET, key = 'S3RVER' } = {}) =>
      `http://${key}:S3RVER@127.0.0.1:${port}/${bucket}`,
    stop,
  }
}
