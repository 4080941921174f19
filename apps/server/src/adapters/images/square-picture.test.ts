import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { picture } from '#testing/requests/pictures.ts'
import { encodePicture } from './encode-picture.ts'
import { imageFormat } from './image-format.ts'
import { pictureProcess, squarePicture } from './square-picture.ts'

/** One that may take as long as a busy machine needs; its time limits have tests of their own. */
const patient = pictureProcess({ decodeMs: 600_000, computingMs: 600_000 })

afterAll(() => patient.end())

const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const

async function squared(bytes: Buffer): Promise<Buffer> {
  const made = await patient.make(bytes, 'square')
  if (!made) throw new Error('the picture was refused')
  return made
}

/** Whether the pixel at a place is red or blue. */
async function colourAt(made: Buffer, x: number, y: number): Promise<string | undefined> {
  const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, , blue = 0] = data.subarray((y * info.width + x) * info.channels)
  if (red > 200 && blue < 60) return 'red'
  return red < 60 && blue > 200 ? 'blue' : undefined
}

/** One as large as is taken. Every one of its pixels is decoded, unlike those of a JPEG. */
let large: Buffer
beforeAll(async () => {
  large = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: '#f00' } })
    .png({ compressionLevel: 1 })
    .toBuffer()
})

/** The beginning of a video, as a phone appends it to a picture. */
const VIDEO = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0'), Buffer.alloc(50_000, 0xa7)])

/** A PNG whose header claims a size that its data does not have. */
function claimingPng({ width, height }: { width: number; height: number }): Buffer {
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

describe('a picture', () => {
  it.each(FORMATS)(
    'in %s becomes a WebP of 512 by 512 pixels, cut out of its middle',
    async (format) => {
      const bytes = await picture(format)
      expect(imageFormat(bytes)).toBe(format)
      const made = await squared(bytes)
      const size = { format: 'webp', width: 512, height: 512 }
      expect(await sharp(made).metadata()).toMatchObject(size)
      expect([await colourAt(made, 100, 256), await colourAt(made, 400, 256)]).toEqual([
        'red',
        'blue',
      ])
    },
  )

  it('keeps no metadata, and is turned upright as its camera recorded', async () => {
    const telltale = await sharp(await picture('jpeg', { width: 300, height: 300 }))
      .withExif({
        IFD0: { Copyright: 'Telltale Person', Software: 'TelltaleCam' },
        IFD3: { GPSLatitude: '10/1 46/1 36/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(telltale.toString('latin1')).toContain('Telltale')
    const made = await squared(telltale)
    expect(made.toString('latin1')).not.toMatch(/Telltale|Exif|GPS/)
    const { exif, xmp, icc, iptc } = await sharp(made).metadata()
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
    // Red was on the left; after turning clockwise it is at the top.
    expect([await colourAt(made, 256, 100), await colourAt(made, 256, 400)]).toEqual([
      'red',
      'blue',
    ])
  })

  it('that is animated becomes its first frame', async () => {
    const frames = await Promise.all(
      ['#0000ff', '#ff0000'].map((background) =>
        sharp({ create: { width: 40, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2)
    const made = await squared(moving)
    expect((await sharp(made).metadata()).pages ?? 1).toBe(1)
    expect(await colourAt(made, 256, 256)).toBe('blue')
  })

  it.each([
    ['a JPEG with a second one behind it', 'jpeg', (jpeg: Buffer) => [jpeg, jpeg]],
    ['a JPEG with a video behind it', 'jpeg', (jpeg: Buffer) => [jpeg, VIDEO]],
    ['a PNG with other bytes behind it', 'png', (png: Buffer) => [png, Buffer.from('a note')]],
    ['a WebP with zeros behind it', 'webp', (webp: Buffer) => [webp, Buffer.alloc(100)]],
    ['a GIF without its last byte', 'gif', (gif: Buffer) => [gif.subarray(0, -1)]],
    ['a PNG without the end of its last chunk', 'png', (png: Buffer) => [png.subarray(0, -4)]],
  ] as const)('may be %s, and nothing of that is kept', async (_what, format, file) => {
    const original = await picture(format, { width: 64, height: 64 })
    const made = await squared(Buffer.concat(file(original)))
    expect(made.equals(await squared(original))).toBe(true)
  })

  it('with many pixels is converted, and so are many at once', async () => {
    const small = { width: 64, height: 64 }
    const all = await Promise.all(
      [large, await picture('jpeg', small), await picture('png', small)].map(squared),
    )
    expect(all).toHaveLength(3)
  })
})

/** Files that only resemble pictures, by what they are; those of a wrong size or without their end are below. */
async function notPictures(): Promise<Record<string, Buffer>> {
  const size = { width: 64, height: 64 }
  const made = await Promise.all(FORMATS.map((format) => picture(format, size)))
  const [jpeg, png, , gif] = made as [Buffer, Buffer, Buffer, Buffer]
  const script = Buffer.from('<script>alert(1)</script>')
  const archive = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
  const withComment = (text: string) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, text.length + 2]),
      Buffer.from(text),
      jpeg.subarray(2),
    ])
  return {
    nothing: Buffer.alloc(0),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'an SVG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'a PDF': Buffer.from('%PDF-1.7\n%âãÏÓ'),
    'a BMP': Buffer.from('BM\x00\x00\x00\x00', 'latin1'),
    'a GIF without its last two bytes': gif.subarray(0, gif.length - 2),
    ...Object.fromEntries(
      FORMATS.map((format, at) => [
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
    'a JPEG with PHP inside': withComment('<?php system($_GET);'),
    'a JPEG that says it is a PDF too': withComment('%PDF-1.7'),
    'a PNG with a wrong checksum': claimingPng(size).fill(1, 29, 33),
  }
}

describe('no picture', async () => {
  it.each(Object.entries(await notPictures()))('is %s', async (_name, bytes) => {
    expect(await squarePicture(bytes)).toBeNull()
  })

  it('is any picture whose data is cut', async () => {
    for (const format of FORMATS) {
      const bytes = await picture(format, { width: 200, height: 200 })
      for (const share of [0.5, 0.9]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share))
        expect(await squarePicture(cut), `${format} ${share}`).toBeNull()
      }
    }
  })

  it('results from random bytes in a picture, and nothing breaks', async () => {
    const bytes = await picture('png', { width: 32, height: 32 })
    for (let at = 0; at < bytes.length; at += 11) {
      const spoilt = Buffer.from(bytes)
      spoilt[at] = (spoilt[at] ?? 0) ^ 0xff
      const made = await squarePicture(spoilt)
      if (made) expect((await sharp(made).metadata()).width).toBe(512)
    }
  })
})

describe('the size in a picture’s header', () => {
  /** Whether the decoder was asked to begin. */
  async function isBegun(bytes: Buffer): Promise<boolean> {
    let begun = false
    const note = () => {
      begun = true
    }
    sharp.queue.on('change', note)
    await encodePicture(bytes, 'square')
    sharp.queue.off('change', note)
    return begun
  }

  it.each([
    ['16,384 pixels wide', () => picture('png', { width: 16_384, height: 1 }), true],
    ['16,385 pixels wide', () => claimingPng({ width: 16_385, height: 1 }), false],
    ['16,385 pixels high', () => claimingPng({ width: 2, height: 16_385 }), false],
    ['of 40 megapixels', () => claimingPng({ width: 8_000, height: 5_000 }), true],
    ['of more', () => claimingPng({ width: 8_000, height: 5_001 }), false],
  ])('decides before anything is decoded: %s', async (_name, bytes, taken) => {
    expect(await isBegun(await bytes())).toBe(taken)
  })
})

describe('the process that decodes', () => {
  it('decodes only the four formats, whatever a file’s beginning says', async () => {
    const tiff = await sharp(await picture('png', { width: 32, height: 32 }))
      .tiff()
      .toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const bytes of [tiff, svg]) await expect(sharp(bytes).metadata()).rejects.toThrow()
  })

  it('has no setting, no file of the server and no other program', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'probe.mjs')
    writeFileSync(join(folder, 'secret'), 'secret')
    writeFileSync(
      file,
      `import { readFileSync, writeFileSync } from 'node:fs'
       import { spawnSync } from 'node:child_process'
       const works = (what) => { try { what(); return true } catch { return false } }
       process.on('message', () => process.send(Buffer.from(JSON.stringify({
         settings: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')),
         reads: ['${folder}/secret', '/etc/passwd', '/proc/self/environ'].filter((path) => works(() => readFileSync(path))),
         writes: works(() => writeFileSync('${folder}/written', '')),
         starts: works(() => spawnSync('true')),
       }))))`,
    )
    vi.stubEnv('SECRET_KEY', 'a secret')
    const made = pictureProcess({ file })
    onTestFinished(() => {
      made.end()
      vi.unstubAllEnvs()
    })
    const report = String(await made.make(Buffer.from('x'), 'square'))
    expect(JSON.parse(report)).toEqual({ settings: [], reads: [], writes: false, starts: false })
  })

  it.each([
    ['memory', { memoryBytes: 1 }],
    ['computing time', { computingMs: 1 }],
  ])('refuses a picture that needs more %s than it may, and ends', async (_what, limit) => {
    // No other limit ends it.
    const limits = { decodeMs: 600_000, computingMs: 600_000, memoryBytes: 2 ** 40 }
    const { make, end } = pictureProcess({ ...limits, ...limit })
    onTestFinished(end)
    expect(await make(large, 'square')).toBeNull()
  })

  /** A decoder that returns its input, except for inputs at which it hangs or dies. */
  function decoder() {
    const folder = temporaryFolder()
    const file = join(folder, 'decoder.mjs')
    writeFileSync(
      file,
      `process.on('disconnect', () => process.exit(0))
       process.on('message', ({ bytes }) => {
         const text = Buffer.from(bytes).toString()
         if (text === 'die') process.exit(1)
         if (text === 'hang') for (;;);
         process.send(Buffer.from(text + ' by ' + process.pid))
       })`,
    )
    const made = pictureProcess({ file })
    onTestFinished(made.end)
    return async (text: string) =>
      (await made.make(Buffer.from(text), 'square'))?.toString() ?? null
  }
  const processOf = (answer: string | null) => answer?.split(' by ')[1]

  it('is one for many pictures, and not the server’s process', async () => {
    const ask = decoder()
    const answers = await Promise.all(['a', 'b', 'c'].map(ask))
    expect(answers.map((answer) => answer?.[0])).toEqual(['a', 'b', 'c'])
    expect(new Set(answers.map(processOf)).size).toBe(1)
    expect(processOf(answers[0] ?? null)).not.toBe(String(process.pid))
  })

  it.each([
    ['dies of a picture', 'die'],
    ['hangs at one', 'hang'],
  ])('that %s is followed by another, which takes those that wait', async (_what, bad) => {
    holdTime('setTimeout')
    const ask = decoder()
    const first = await ask('a')
    const answers = Promise.all([ask(bad), ask('b')])
    // The picture is with the process, and its time is over.
    await nextTurn()
    if (bad === 'hang') vi.advanceTimersByTime(30_000)
    const [none, next] = await answers
    expect(none).toBeNull()
    expect(next).toMatch(/^b by /)
    expect(processOf(next)).not.toBe(processOf(first))
  })
})
