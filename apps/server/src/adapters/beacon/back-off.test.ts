import { describe, expect, it } from 'vitest'
import { backOff } from './drand-beacon.ts'

function onClock() {
  const clock = { at: 1_000 }
  return { clock, pauses: backOff({ firstMs: 100, maxMs: 1_000, now: () => clock.at }) }
}

describe('a back-off', () => {
  it('does not pause a name that has not failed', () => {
    expect(onClock().pauses.pauseMs('a')).toBe(0)
  })

  it('doubles the pause with each failure in a row, up to the maximum', () => {
    const { pauses, clock } = onClock()
    for (const rest of [100, 200, 400, 800, 1_000, 1_000]) {
      pauses.failed('a')
      expect(pauses.pauseMs('a')).toBe(rest)
      clock.at += rest - 1
      expect(pauses.pauseMs('a')).toBe(1)
      clock.at += 1
      expect(pauses.pauseMs('a')).toBe(0)
    }
  })

  it('resets after a success, and counts each name separately', () => {
    const { pauses } = onClock()
    pauses.failed('a')
    pauses.failed('a')
    pauses.failed('b')
    expect([pauses.pauseMs('a'), pauses.pauseMs('b')]).toEqual([200, 100])
    pauses.succeeded('a')
    expect([pauses.pauseMs('a'), pauses.pauseMs('b')]).toEqual([0, 100])
    pauses.failed('a')
    expect(pauses.pauseMs('a')).toBe(100)
  })

  it('keeps a bounded number of names', () => {
    const { pauses } = onClock()
    for (let name = 0; name <= 1_000; name += 1) pauses.failed(String(name))
    expect(pauses.pauseMs('0')).toBe(0)
    expect(pauses.pauseMs('1')).toBe(100)
    expect(pauses.pauseMs('1000')).toBe(100)
  })
})
