/** The work of the picture process for each picture: see square-picture.ts, which starts the process. */
import sharp from 'sharp'
import { imageFormat } from './image-format.ts'

/** The pictures that are made: a player's avatar, a banner of the house, or a whole document. In pixels. */
const SIZES = {
  square: { width: 512, height: 512, fit: 'cover' },
  wide: { width: 1_440, height: 456, fit: 'cover' },
  document: { width: 1_800, height: 1_800, fit: 'inside', withoutEnlargement: true },
} as const
export type PictureShape = keyof typeof SIZES

const PIXELS_MAX = 40_000_000

/** No camera makes a side as long as this; a file that claims it would only use up memory. */
const SIDE_MAX = 16_384

sharp.concurrency(1)
sharp.cache(false)
// No other decoder runs, whatever the bytes look like.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}`),
})

/** @returns null if it is no whole picture, contains a document, or its header says that it is too large */
export async function encodePicture(bytes: Buffer, shape: PictureShape): Promise<Buffer | null> {
  const format = imageFormat(bytes)
  if (!format) return null
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    // From the header alone: a file that claims a larger size is not decoded.
    const { format: decoded, width, height } = await picture.metadata()
    if (decoded !== format || Math.max(width, height) > SIDE_MAX) return null
    if (width * height > PIXELS_MAX) return null
    return await picture.rotate().resize(SIZES[shape]).webp({ quality: 82 }).toBuffer()
  } catch {
    // The library's errors concern the bytes that it was given: it has no other input.
    return null
  }
}
