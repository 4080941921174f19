import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { claimingPng, notPictures, picture, telltalePicture } from '#testing/requests/pictures.ts'
import { encodePicture } from './encode-picture.ts'
import { imageFormat } from './image-format.ts'
import { pictureProcess, squarePicture } from './square-picture.ts'

/** One that may take as long as a busy machine needs; its time limits have tests of their own. */
const patient = pictureProcess({ decodeMs: 600_000, computingMs: 600_000 })

afterAll(() => patient.end())

async function squared(bytes: Buffer): Promise<Buffer> {
  const made = await patient.make(bytes, 'square')
  if (!made) throw new Error('the picture was refused')
  return made
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

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'in %s becomes a WebP of 512 by 512 pixels, cut out of its middle',
    async (format) => {
      const bytes = await picture(format)
      expect(imageFormat(bytes)).toBe(format)
      const made = await squared(bytes)
      expect(await sharp(made).metadata()).toMatchObject({
        format: 'webp',
        width: 512,
        height: 512,
      })
      const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
      const at = (x: number) => [
        ...data.subarray((256 * info.width + x) * info.channels).subarray(0, 3),
      ]
      const [left, right] = [at(100), at(400)] as [number[], number[]]
      expect(left[0]).toBeGreaterThan(200)
      expect(right[2]).toBeGreaterThan(200)
    },
  )

  it('keeps no metadata', async () => {
    const bytes = await telltalePicture()
    expect(bytes.toString('latin1')).toContain('Telltale')
    const made = await squared(bytes)
    expect(made.toString('latin1')).not.toMatch(/Telltale|Exif|GPS/)
    const { exif, xmp, icc, iptc } = await sharp(made).metadata()
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is turned upright as its camera recorded', async () => {
    const sideways = await sharp(await picture('jpeg', { width: 300, height: 300 }))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { data, info } = await sharp(await squared(sideways))
      .raw()
      .toBuffer({ resolveWithObject: true })
    // Red was on the left; after turning clockwise it is at the top.
    expect(data[(100 * info.width + 256) * info.channels]).toBeGreaterThan(200)
    expect(data[(400 * info.width + 256) * info.channels]).toBeLessThan(60)
  })

  it('that is animated becomes its first frame', async () => {
    const frames = await Promise.all(
      ['#00ff00', '#ff0000'].map((background) =>
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
    const { pages } = await sharp(made).metadata()
    expect(pages ?? 1).toBe(1)
    const { channels } = await sharp(made).stats()
    expect(channels[1]?.mean).toBeGreaterThan(200)
    expect(channels[0]?.mean).toBeLessThan(60)
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

describe('no picture', async () => {
  it.each(Object.entries(await notPictures()))('is %s', async (_name, bytes) => {
    expect(await squarePicture(bytes)).toBeNull()
  })

  it('is any picture whose data is cut', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
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
