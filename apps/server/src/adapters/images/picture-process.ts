/**
 * A process of its own that decodes pictures, one at a time. What a stranger's file does to a decoder
 * happens here: it may take this process's memory and its life, and of the server neither.
 */
import { processEnd } from '#src/process-end.ts'
import { encodePicture, type PictureShape } from './encode-picture.ts'

/** A picture of 40 megapixels takes some 250 MB; what takes more ends the process. */
const MEMORY_MAX_BYTES = 768 * 1024 * 1024
/** Of computing; a large picture takes two seconds. */
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
