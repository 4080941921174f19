/** The name of an uploaded picture, in the database and on the wire. */
import { createHash } from 'node:crypto'

/** Where pictures are served. */
export const PICTURE_PATH = '/uploads/'

/** A picture's name: derived from its content and its owner, so that two players never share a picture. */
export function pictureName(picture: Buffer, playerId: number): string {
  const hash = createHash('sha256').update(`${playerId} `).update(picture).digest('hex')
  return `${hash.slice(0, 32)}.webp`
}

/**
 * The name in the url of a picture of ours, or null.
 *
 * @param origins the product's origins, which may precede the path
 */
export function pictureNameIn(url: string, origins: readonly string[]): string | null {
  const origin = origins.find((each) => url.startsWith(`${each}/`)) ?? ''
  const match = /^\/uploads\/([0-9a-f]{32}\.webp)$/.exec(url.slice(origin.length))
  return match?.[1] ?? null
}
