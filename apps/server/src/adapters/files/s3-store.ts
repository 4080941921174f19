/** Files in an S3 store, for several processes or machines. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { FILE_MAX_BYTES } from '@sum28/contract/route.ts'
import { readLimitedBytes } from '#src/adapters/limited-body.ts'
import { StartError } from '#src/process/start-error.ts'
import { type FileStore, StorageAway } from './file-store.ts'
import type { S3Place } from './s3-place.ts'

/** The time limits for a connection, and for the answer to one try; there are two tries. */
const CONNECT_MS = 2_000
const ANSWER_MS = 5_000

/**
 * Opens the bucket.
 *
 * @throws StartError if the bucket does not exist or the key has no access
 */
export async function s3Store(
  { bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Place,
  ending: AsyncDisposableStack,
  { connectMs = CONNECT_MS, answerMs = ANSWER_MS } = {},
): Promise<FileStore> {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // The bucket is in the path: self-hosted stores seldom have a host name for each bucket.
    forcePathStyle: true,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs },
    // Stores other than Amazon's do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  ending.defer(() => client.destroy())
  await client
    .send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }))
    .catch((cause: Error) => {
      throw new StartError(
        `The bucket ${bucket} of S3_URL cannot be used (${cause.name}): look at its name, the key and whether the store runs.`,
        { cause },
      )
    })

  function away(cause: Error): never {
    throw new StorageAway(`the store of files: ${cause.name}`, { cause })
  }

  return {
    async write(name, bytes) {
      const object = { Bucket: bucket, Key: name, Body: bytes, ContentType: 'image/webp' }
      await client.send(new PutObjectCommand(object)).catch(away)
    },
    async read(name) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }))
        if (!Body) return null
        const bytes = await readLimitedBytes(Body as AsyncIterable<Uint8Array>, FILE_MAX_BYTES)
        if (!bytes) throw new Error('a file in it is larger than any of ours')
        return bytes
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        return away(error as Error)
      }
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name })).catch(away)
    },
    async olderThan(ageMs) {
      const before = Date.now() - ageMs
      const names: string[] = []
      try {
        for await (const { Contents = [] } of paginateListObjectsV2(
          { client },
          { Bucket: bucket },
        )) {
          for (const { Key, LastModified } of Contents) {
            if (Key && LastModified && LastModified.getTime() < before) names.push(Key)
          }
        }
      } catch (error) {
        away(error as Error)
      }
      return names
    },
  }
}
