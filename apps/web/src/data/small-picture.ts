/** The longest side that the server keeps of a picture, in pixels. */
const SIDE_MAX = 1_800

/** A photograph as an upright JPEG of a size that an upload may have; null if the browser cannot read the file. */
export async function smallPicture(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(
    () => null,
  )
  if (!picture) return null
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no canvas')
  // Behind transparent parts, which a JPEG does not have.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9))
}
