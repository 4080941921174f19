/** How an uploaded picture is named, on the disk and on the wire. */
import { createHash } from 'node:crypto'

/** Where pictures are served. */
export const PICTURE_PATH = '/uploads/'

/** A picture's name: of its content and its owner, so that nobody else's file is ever the same. */
export function pictureName(picture: Buffer, playerId: number): string {
  const hash = createHash('sha256').update(`${playerId} `).update(picture).digest('hex')
  return `${hash.slice(0, 32)}.webp`
}

/**
 * The name in the url of a picture of ours, or null.
 *
 * @param origins where the product is reached: what may stand in front of the path
 */
export function pictureNameIn(url: string, origins: readonly string[]): string | null {
  const origin = origins.find((each) => url.startsWith(`${each}/`)) ?? ''
  const match = /^\/uploads\/([0-9a-f]{32}\.webp)$/.exec(url.slice(origin.length))
  return match?.[1] ?? null
}
