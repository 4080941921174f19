/**
 * The square that is cut out of a picture, in the picture's own pixels, however large it is drawn.
 */

export type Size = { readonly width: number; readonly height: number }

export type CropArea = {
  /** The square's middle. */
  readonly x: number
  readonly y: number
  /** From 1, the largest square, to {@link SCALE_MAX}, the smallest. */
  readonly scale: number
}

export const SCALE_MAX = 4

/** The largest square in the middle. */
export function wholeArea({ width, height }: Size): CropArea {
  return { x: width / 2, y: height / 2, scale: 1 }
}

/** How many pixels of the picture a side of the square has. */
export function sideOf(area: CropArea, { width, height }: Size): number {
  return Math.min(width, height) / area.scale
}

/** The square moved by pixels of the picture, within the picture. */
export function moved(area: CropArea, by: { x: number; y: number }, size: Size): CropArea {
  return within({ ...area, x: area.x + by.x, y: area.y + by.y }, size)
}

/**
 * The square at another scale, limited to 1 … {@link SCALE_MAX}.
 *
 * @param at the point that keeps its place, from -0.5 (the square's left or top edge) to 0.5; its
 * middle by default
 */
export function scaled(
  area: CropArea,
  scale: number,
  size: Size,
  at: { x: number; y: number } = { x: 0, y: 0 },
): CropArea {
  const next = { ...area, scale: Math.min(SCALE_MAX, Math.max(1, scale)) }
  const shrunkBy = sideOf(area, size) - sideOf(next, size)
  return moved(next, { x: at.x * shrunkBy, y: at.y * shrunkBy }, size)
}

function within(area: CropArea, size: Size): CropArea {
  const half = sideOf(area, size) / 2
  return {
    ...area,
    x: Math.min(size.width - half, Math.max(half, area.x)),
    y: Math.min(size.height - half, Math.max(half, area.y)),
  }
}
