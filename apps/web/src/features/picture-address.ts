import { lineBase } from '#src/data/lines.ts'

/** The address of a picture that the API names: a path is below the chosen line's address. */
export function pictureAddress(image: string): string {
  return image.startsWith('/') ? lineBase() + image : image
}
