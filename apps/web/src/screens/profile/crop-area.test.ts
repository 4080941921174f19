import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CropArea,
  moved,
  SCALE_MAX,
  type Size,
  scaled,
  sideOf,
  wholeArea,
} from '#src/screens/profile/crop-area.ts'

const WIDE: Size = { width: 400, height: 200 }

describe('the square that is cut out', () => {
  it('is at first the largest one in the middle', () => {
    expect(wholeArea(WIDE)).toEqual({ x: 200, y: 100, scale: 1 })
    expect(sideOf(wholeArea(WIDE), WIDE)).toBe(200)
  })

  it('stops where the picture ends', () => {
    expect(moved(wholeArea(WIDE), { x: 1_000, y: 5 }, WIDE)).toEqual({ x: 300, y: 100, scale: 1 })
    expect(moved(wholeArea(WIDE), { x: -1_000, y: -5 }, WIDE)).toEqual({ x: 100, y: 100, scale: 1 })
  })

  it('keeps its middle when it is scaled there', () => {
    expect(scaled(wholeArea(WIDE), 2, WIDE)).toEqual({ x: 200, y: 100, scale: 2 })
  })

  it('keeps the corner under the fingers when it is scaled there', () => {
    const corner = scaled(wholeArea(WIDE), 2, WIDE, { x: -0.5, y: -0.5 })
    expect(corner).toEqual({ x: 150, y: 50, scale: 2 })
    expect(corner.x - sideOf(corner, WIDE) / 2).toBe(100)
  })

  it('moves back into the picture when it is made larger at an edge', () => {
    const near = moved(scaled(wholeArea(WIDE), 4, WIDE), { x: 999, y: 999 }, WIDE)
    expect(scaled(near, 1, WIDE)).toEqual({ x: 300, y: 100, scale: 1 })
  })

  it('stays inside the picture after any changes', () => {
    const side = fc.integer({ min: 1, max: 8_000 })
    const step = fc.double({ min: -9_000, max: 9_000, noNaN: true })
    const coordinate = fc.double({ min: -0.5, max: 0.5, noNaN: true })
    const size = fc.record({ width: side, height: side })
    const action = fc.oneof(
      fc
        .record({ x: step, y: step })
        .map((by) => (area: CropArea, of: Size) => moved(area, by, of)),
      fc
        .record({
          scale: fc.double({ min: -1, max: 9, noNaN: true }),
          x: coordinate,
          y: coordinate,
        })
        .map(
          ({ scale, ...at }) =>
            (area: CropArea, of: Size) =>
              scaled(area, scale, of, at),
        ),
    )
    fc.assert(
      fc.property(size, fc.array(action, { maxLength: 12 }), (of, actions) => {
        const area = actions.reduce((before, act) => act(before, of), wholeArea(of))
        const half = sideOf(area, of) / 2
        const near = 1e-6
        expect(area.scale).toBeGreaterThanOrEqual(1)
        expect(area.scale).toBeLessThanOrEqual(SCALE_MAX)
        expect(area.x - half).toBeGreaterThanOrEqual(-near)
        expect(area.y - half).toBeGreaterThanOrEqual(-near)
        expect(area.x + half).toBeLessThanOrEqual(of.width + near)
        expect(area.y + half).toBeLessThanOrEqual(of.height + near)
      }),
    )
  })
})
