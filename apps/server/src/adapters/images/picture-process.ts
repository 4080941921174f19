/**
 * A separate process that decodes pictures, one at a time. A malicious file that attacks the decoder can use up or
 * end this process, but not the server.
 */
import { processEnd } from '#src/process/process-end.ts'
import { encodePicture, type PictureShape } from './encode-picture.ts'

/** Its limits, which its parent sets: see square-picture.ts. The process ends when it needs more. */
const [memoryMaxBytes = 0, computingMsMax = 0] = process.argv.slice(2).map(Number)
const LOOK_MS = 50

let before = process.cpuUsage()

setInterval(() => {
  const { user, system } = process.cpuUsage(before)
  const computingMs = (user + system) / 1000
  if (process.memoryUsage.rss() > memoryMaxBytes || computingMs > computingMsMax) {
    process.exit(1)
  }
}, LOOK_MS).unref()

processEnd({ ending: new AsyncDisposableStack(), by: 'parent' })

process.on('message', async ({ bytes, shape }: { bytes: Uint8Array; shape: PictureShape }) => {
  before = process.cpuUsage()
  const picture = await encodePicture(Buffer.from(bytes), shape)
  process.send?.(picture)
})
