/** Pictures on the oldest browsers: the decoder is a stand-in for theirs. */
import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { smallPicture } from './small-picture.ts'

afterEach(() => vi.unstubAllGlobals())

const JPEG = new Blob(['small'], { type: 'image/jpeg' })

/** A browser that makes this of a canvas, and decodes as Safari 16.4 and Chrome 111 do. */
function browserThatMakes(made: Blob | null) {
  const sizes: number[][] = []
  vi.stubGlobal('createImageBitmap', async (_: Blob, options?: { imageOrientation?: string }) => {
    if (!['none', 'flipY'].includes(options?.imageOrientation ?? 'none')) {
      throw new TypeError('no value of ImageOrientation')
    }
    return { width: 3_600, height: 1_200, close() {} }
  })
  const canvas = {
    width: 0,
    height: 0,
    getContext: () => ({ fillRect() {}, drawImage() {} }),
    toBlob(done: (blob: Blob | null) => void) {
      sizes.push([this.width, this.height])
      done(made)
    },
  }
  vi.stubGlobal('document', { createElement: () => canvas })
  return sizes
}

const photograph = (bytes: number, type = 'image/jpeg') =>
  new Blob([new Uint8Array(bytes)], { type })

it('a photograph is made small', async () => {
  const sizes = browserThatMakes(JPEG)
  expect(await smallPicture(photograph(9_000_000))).toBe(JPEG)
  expect(sizes).toEqual([[1_800, 600]])
})

it('a picture that the browser cannot make smaller is sent as it is, if it may be', async () => {
  browserThatMakes(null)
  const picture = photograph(FILE_MAX_BYTES)
  expect(await smallPicture(picture)).toBe(picture)
  expect(await smallPicture(photograph(FILE_MAX_BYTES + 1))).toBeNull()
  expect(await smallPicture(photograph(10, 'application/pdf'))).toBeNull()
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not decoded')))
  expect(await smallPicture(picture)).toBe(picture)
})
