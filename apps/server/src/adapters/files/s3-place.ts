/** The address of an S3 store, from the environment. */
export type S3Place = {
  /** The store's endpoint, without the bucket. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * Reads an address such as `https://key:secret@host/bucket?region=eu-central-1`.
 *
 * @returns null if a part is missing
 */
export function readS3Url(text: string): S3Place | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, username, password, pathname, searchParams } = new URL(text)
  const bucket = pathname.replace(/^\/|\/$/g, '')
  if (!/^https?:$/.test(protocol) || !username || !password || !/^[a-z0-9.-]{3,63}$/.test(bucket)) {
    return null
  }
  return {
    endpoint: origin,
    bucket,
    region: searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
}
