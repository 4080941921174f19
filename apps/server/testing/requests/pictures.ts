/** Pictures for tests, made when they are needed. */
import sharp from 'sharp'

/** A picture of some size with a red left half and a right half of another colour. */
export function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif',
  {
    width = 800,
    height = 600,
    right = '#0000ff',
  }: { width?: number; height?: number; right?: string } = {},
): Promise<Buffer> {
  const half = Math.floor(width / 2)
  const red = { create: { width: half, height, channels: 3, background: '#ff0000' } } as const
  return sharp({ create: { width, height, channels: 3, background: right } })
    .composite([{ input: red, left: 0, top: 0 }])
    .toFormat(format)
    .toBuffer()
}
