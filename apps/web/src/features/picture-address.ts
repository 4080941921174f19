import { lineBase } from '#src/data/lines.ts'

/** The address of a picture that the API names: a path is under the line that is in use. */
export function pictureAddress(image: string): string {
  return image.startsWith('/') ? lineBase() + image : image
}
