/** Makes a picture of anybody's into one of ours: square, small, and with nothing in it but itself. */
import sharp from 'sharp'
import { imageFormat } from './image-format.ts'

/** The side of what is made, in pixels. */
const SQUARE_PX = 512

const PIXELS_MAX = 40_000_000

/** No camera makes a side as long as this; a file that claims it wants our memory. */
const SIDE_MAX = 16_384

const SECONDS_MAX = 10

// One picture is decoded at a time, by one thread: the requests of players come first.
sharp.concurrency(1)
sharp.cache(false)
let before: Promise<unknown> = Promise.resolve()

/**
 * Re-encodes a JPEG, PNG, WebP or GIF of up to 40 megapixels as a WebP of 512 by 512 pixels, cut out
 * of the middle, turned upright, without metadata; of a moving picture the first frame.
 *
 * @returns null where it is no such picture, or not nothing but one
 */
export function squarePicture(bytes: Buffer): Promise<Buffer | null> {
  const mine = before.then(() => encode(bytes))
  before = mine.catch(() => {})
  return mine
}

async function encode(bytes: Buffer): Promise<Buffer | null> {
  const format = imageFormat(bytes)
  if (!format) return null
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    const { format: decoded, width, height } = await picture.metadata()
    if (decoded !== format || Math.max(width, height) > SIDE_MAX) return null
    return await picture
      .rotate()
      .resize(SQUARE_PX, SQUARE_PX, { fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer()
  } catch {
    // The library's errors are about the bytes that it was given: there is nothing else it works on.
    return null
  }
}
