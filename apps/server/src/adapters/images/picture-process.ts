/**
 * A separate process that decodes pictures, one at a time. A malicious file that attacks the decoder can use up or
 * end this process, but not the server.
 */
import { processEnd } from '#src/process-end.ts'
import { encodePicture, type PictureShape } from './encode-picture.ts'

/** A picture of 40 megapixels takes some 250 MB; the process ends if it needs more. */
const MEMORY_MAX_BYTES = 768 * 1024 * 1024
/** Computing time; a large picture takes two seconds. */
const COMPUTING_MS_MAX = 8_000
const LOOK_MS = 50

let before = process.cpuUsage()

setInterval(() => {
  const { user, system } = process.cpuUsage(before)
  const computingMs = (user + system) / 1000
  if (process.memoryUsage.rss() > MEMORY_MAX_BYTES || computingMs > COMPUTING_MS_MAX) {
    process.exit(1)
  }
}, LOOK_MS).unref()

processEnd({ ending: new AsyncDisposableStack(), by: 'parent' })

process.on('message', async ({ bytes, shape }: { bytes: Uint8Array; shape: PictureShape }) => {
  before = process.cpuUsage()
  const picture = await encodePicture(Buffer.from(bytes), shape)
  process.send?.(picture)
})
