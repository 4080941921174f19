import { describe, expect, it } from 'vitest'
import { backOff } from './back-off.ts'

function onClock() {
  const clock = { at: 1_000 }
  return { clock, rests: backOff({ firstMs: 100, maxMs: 1_000, now: () => clock.at }) }
}

describe('a back-off', () => {
  it('leaves nobody alone who has not failed', () => {
    expect(onClock().rests.restMs('a')).toBe(0)
  })

  it('doubles the rest with each failure in a row, up to the most', () => {
    const { rests, clock } = onClock()
    for (const rest of [100, 200, 400, 800, 1_000, 1_000]) {
      rests.failed('a')
      expect(rests.restMs('a')).toBe(rest)
      clock.at += rest - 1
      expect(rests.restMs('a')).toBe(1)
      clock.at += 1
      expect(rests.restMs('a')).toBe(0)
    }
  })

  it('begins anew after a success, and keeps each name by itself', () => {
    const { rests } = onClock()
    rests.failed('a')
    rests.failed('a')
    rests.failed('b')
    expect([rests.restMs('a'), rests.restMs('b')]).toEqual([200, 100])
    rests.succeeded('a')
    expect([rests.restMs('a'), rests.restMs('b')]).toEqual([0, 100])
    rests.failed('a')
    expect(rests.restMs('a')).toBe(100)
  })

  it('keeps a bounded number of names', () => {
    const { rests } = onClock()
    for (let name = 0; name <= 1_000; name += 1) rests.failed(String(name))
    expect(rests.restMs('0')).toBe(0)
    expect(rests.restMs('1')).toBe(100)
    expect(rests.restMs('1000')).toBe(100)
  })
})
