import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StartError } from '#src/process/start-error.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { StorageAway } from './file-store.ts'
import { readS3Url } from './s3-place.ts'
import { s3Store } from './s3-store.ts'

function open(url: string) {
  const place = readS3Url(url)
  if (!place) throw new Error(`${url} is no place`)
  const ending = new AsyncDisposableStack()
  onTestFinished(() => ending.disposeAsync())
  return s3Store(place, ending, { connectMs: 60_000, answerMs: 60_000 })
}

describe('a file in a store that speaks S3', () => {
  it('is written, read by another process, found when it is old, and removed', async () => {
    const server = await startS3Server()
    const [store, other] = [await open(server.url()), await open(server.url())]
    const bytes = Buffer.alloc(100_000, 7)
    await Promise.all([store.write('a', bytes), store.write('a', bytes)])
    await store.write('b', Buffer.from('two'))
    expect(await other.read('a')).toEqual(bytes)
    expect(await other.olderThan(3_600_000)).toEqual([])
    expect((await other.olderThan(-3_600_000)).sort()).toEqual(['a', 'b'])
    await other.remove('a')
    await other.remove('a')
    expect(await store.read('a')).toBeNull()
    expect(await store.olderThan(-3_600_000)).toEqual(['b'])
  })

  it('is not read if it is larger than any that is taken', async () => {
    const server = await startS3Server()
    const store = await open(server.url())
    const largest = Buffer.alloc(FILE_MAX_BYTES, 7)
    await store.write('largest', largest)
    await store.write('larger', Buffer.alloc(FILE_MAX_BYTES + 1, 7))
    expect((await store.read('largest'))?.equals(largest)).toBe(true)
    await expect(store.read('larger')).rejects.toThrow(StorageAway)
  })

  it('cannot be stored, read or removed while the store is down', async () => {
    const server = await startS3Server()
    const store = await open(server.url())
    await server.stop()
    await expect(store.write('a', Buffer.from('x'))).rejects.toThrow(StorageAway)
    await expect(store.read('a')).rejects.toThrow(StorageAway)
    await expect(store.remove('a')).rejects.toThrow(StorageAway)
    await expect(store.olderThan(0)).rejects.toThrow(StorageAway)
  })
})

describe('a start', () => {
  it('ends with a sentence if the bucket or the key is unknown', async () => {
    const server = await startS3Server()
    for (const wrong of [{ bucket: 'another' }, { key: 'other' }]) {
      const error = await open(server.url(wrong)).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StartError)
      expect(String(error)).toMatch(/bucket \w+ of S3_URL cannot be used/)
      expect(String(error)).not.toContain('S3RVER')
    }
  })
})

describe('S3_URL', () => {
  it('names store, bucket, region and key', () => {
    expect(readS3Url('https://ke%2By:se%2Fcret@s3.example:9000/some-bucket?region=x-1')).toEqual({
      endpoint: 'https://s3.example:9000',
      bucket: 'some-bucket',
      region: 'x-1',
      accessKeyId: 'ke+y',
      secretAccessKey: 'se/cret',
    })
    expect(readS3Url('http://k:s@s3.example/bucket/')?.region).toBe('us-east-1')
  })

  it.each([
    'bucket',
    'https://s3.example/bucket',
    'https://key@s3.example/bucket',
    'https://key:secret@s3.example/',
    'https://key:secret@s3.example/a/b',
    'https://key:secret@s3.example/UPPER',
    'ftp://key:secret@s3.example/bucket',
  ])('is refused where a part is missing: %s', (text) => {
    expect(readS3Url(text)).toBeNull()
  })
})
