import { type CropArea, sideOf } from '#src/screens/profile/crop-area.ts'

/** Pixels of each side of the upload; the server uses the same size. */
const SIDE = 512

const QUALITY = 0.9

/** A picture from a file, upright. Rejects if the browser cannot read the file. */
export function readPicture(file: Blob): Promise<ImageBitmap> {
  return createImageBitmap(file, { imageOrientation: 'from-image' })
}

/** Draws the square of a picture over a whole canvas, on white behind transparent parts. */
export function drawArea(
  canvas: HTMLCanvasElement,
  { picture, area }: { picture: ImageBitmap; area: CropArea },
): void {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no canvas')
  const side = sideOf(area, picture)
  context.imageSmoothingQuality = 'high'
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(
    picture,
    area.x - side / 2,
    area.y - side / 2,
    side,
    side,
    0,
    0,
    canvas.width,
    canvas.height,
  )
}

/** The square as a file: WebP, or JPEG if the browser cannot write WebP. */
export async function cutPicture(cut: { picture: ImageBitmap; area: CropArea }): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  drawArea(canvas, cut)
  const webp = await written(canvas, 'image/webp')
  return webp.type === 'image/webp' ? webp : written(canvas, 'image/jpeg')
}

function written(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((done, fail) => {
    canvas.toBlob(
      (blob) => (blob ? done(blob) : fail(new Error(`no ${type} could be written`))),
      type,
      QUALITY,
    )
  })
}
