import { describe, expect, it } from 'vitest'
import { closesAt, directionOf } from '#src/screens/room/swipe-down.ts'

describe('a finger on a sheet', () => {
  it('means nothing before it has moved a little', () => {
    expect(directionOf({ x: 3, y: 4 }, true)).toBeNull()
  })

  it('swipes when it goes down and nothing is scrolled', () => {
    expect(directionOf({ x: 2, y: 9 }, true)).toBe('swipe')
    expect(directionOf({ x: 2, y: 9 }, false)).toBe('other')
  })

  it('scrolls when it goes up or aside', () => {
    expect(directionOf({ x: 0, y: -9 }, true)).toBe('other')
    expect(directionOf({ x: 12, y: 9 }, true)).toBe('other')
    expect(directionOf({ x: -12, y: 9 }, true)).toBe('other')
  })

  it('closes it when it moved far or fast, and otherwise the sheet returns', () => {
    expect(closesAt({ movedPx: 200, heightPx: 500, tookMs: 2_000 })).toBe(true)
    expect(closesAt({ movedPx: 60, heightPx: 500, tookMs: 80 })).toBe(true)
    expect(closesAt({ movedPx: 100, heightPx: 500, tookMs: 800 })).toBe(false)
  })
})
