import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'

/** The longest side that the server keeps of a picture, in pixels. */
const SIDE_MAX = 1_800

/**
 * A photograph as an upright JPEG of a size that an upload may have. Where the browser cannot make one, the file itself,
 * if it may be uploaded: the server reads more. Null if neither can be sent.
 */
export async function smallPicture(file: Blob): Promise<Blob | null> {
  const small = await drawnSmall(file).catch(() => null)
  if (small) return small
  return file.type.startsWith('image/') && file.size <= FILE_MAX_BYTES ? file : null
}

async function drawnSmall(file: Blob): Promise<Blob | null> {
  // Upright without an option: older browsers do not know the value that asks for it.
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return null
  // Behind transparent parts, which a JPEG does not have.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9))
}
