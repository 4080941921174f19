import { describe, expect, it } from 'vitest'
import { clockText, nextDeadline, secondsUntil } from '#src/parts/countdown.ts'

describe('a countdown', () => {
  it('stays steady while samples in whole seconds waver around it', () => {
    let deadline = nextDeadline(null, { of: '138', seconds: 100, sampledAt: 5_000 })
    for (const [seconds, sampledAt] of [
      [98, 7_050],
      [96, 9_900],
      [94, 10_950],
    ] as const) {
      deadline = nextDeadline(deadline, { of: '138', seconds, sampledAt })
    }
    expect(deadline.endsAt).toBe(105_000)
  })

  it('moves when a sample contradicts it', () => {
    const before = { of: '138', endsAt: 105_000 }
    const after = nextDeadline(before, { of: '138', seconds: 60, sampledAt: 40_000 })
    expect(after.endsAt).toBe(100_000)
  })

  it('never gives back time because a reply was late', () => {
    const before = { of: '138', endsAt: 105_000 }
    const after = nextDeadline(before, { of: '138', seconds: 30, sampledAt: 99_000 })
    expect(after).toBe(before)
  })

  it('restarts with another round', () => {
    const before = { of: '138', endsAt: 105_000 }
    const after = nextDeadline(before, { of: '139', seconds: 105, sampledAt: 100 })
    expect(after).toEqual({ of: '139', endsAt: 105_100 })
  })

  it('shows the last second until the end, and never a negative number', () => {
    expect(secondsUntil(10_000, 9_999)).toBe(1)
    expect(secondsUntil(10_000, 10_000)).toBe(0)
    expect(secondsUntil(10_000, 99_000)).toBe(0)
    expect(secondsUntil(10_000, 8_500)).toBe(2)
  })

  it('is written in minutes and two-figure seconds', () => {
    expect([0, 9, 60, 125, 210].map(clockText)).toEqual(['0:00', '0:09', '1:00', '2:05', '3:30'])
  })
})
