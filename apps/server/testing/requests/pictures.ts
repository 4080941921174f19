/** Pictures for tests, made when they are needed, and files that only resemble them. */
import { crc32, deflateSync } from 'node:zlib'
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

/** A JPEG with metadata of its place and its maker. */
export async function telltalePicture(): Promise<Buffer> {
  return sharp(await picture('jpeg'))
    .withExif({
      IFD0: { Copyright: 'Telltale Person', Software: 'TelltaleCam' },
      IFD3: { GPSLatitude: '10/1 46/1 36/1', GPSLatitudeRef: 'N' },
    })
    .jpeg()
    .toBuffer()
}

/** A PNG whose header claims a size that its data does not have. */
export function claimingPng({ width, height }: { width: number; height: number }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Files that are refused, by what they are. */
export async function notPictures(): Promise<Record<string, Buffer>> {
  const size = { width: 64, height: 64 }
  const formats = ['png', 'jpeg', 'gif', 'webp'] as const
  const made = await Promise.all(formats.map((format) => picture(format, size)))
  const [png, jpeg, gif, webp] = made as [Buffer, Buffer, Buffer, Buffer]
  const script = Buffer.from('<script>alert(1)</script>')
  const archive = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
  return {
    nothing: Buffer.alloc(0),
    text: Buffer.from('hello'),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'a PDF': Buffer.from('%PDF-1.7\n%âãÏÓ'),
    'a BMP': Buffer.from('BM\x00\x00\x00\x00', 'latin1'),
    'half a PNG': png.subarray(0, png.length - 20),
    'half a JPEG': jpeg.subarray(0, jpeg.length - 20),
    'a GIF without its last two bytes': gif.subarray(0, gif.length - 2),
    'half a WebP': webp.subarray(0, webp.length - 20),
    ...Object.fromEntries(
      formats.map((format, at) => [
        `a ${format} with a page behind it`,
        Buffer.concat([made[at] ?? png, script]),
      ]),
    ),
    'a JPEG with an archive behind it': Buffer.concat([jpeg, archive]),
    'a GIF that is a script': Buffer.from('GIF89a=1;alert(1)//'),
    'a PNG with a page inside': Buffer.concat([
      png.subarray(0, 33),
      pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script])),
      png.subarray(33),
    ]),
    'a JPEG with PHP inside': withComment(jpeg, '<?php system($_GET);'),
    'a JPEG that says it is a PDF too': withComment(jpeg, '%PDF-1.7'),
    'a PNG of 50,000 by 50,000 pixels': claimingPng({ width: 50_000, height: 50_000 }),
    'a PNG 50,000 pixels wide': await picture('png', { width: 50_000, height: 1 }),
    'a PNG of more than 40 megapixels': await picture('png', { width: 6_400, height: 6_300 }),
    'a PNG with a wrong checksum': claimingPng(size).fill(1, 29, 33),
  }
}

function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)])
}
