import { describe, expect, test } from 'vitest'
import type { WatchStep, WatchStop } from './chain-watcher.ts'
import { FIRST_PACE, paceAfter, type WatchPace } from './chain-watcher.ts'

function stepOf(change: Partial<WatchStep> = {}): WatchStep {
  return { handled: 0, height: 10, solidHeight: 10, ...change }
}

function failure(change: Partial<WatchStop> = {}): WatchStop {
  return { kind: 'http', message: '', status: 500, retryAfterMs: null, ...change } as WatchStop
}

describe('the pace of the watcher', () => {
  test('has no pause while blocks are left, and one block time at the node’s height', () => {
    expect(paceAfter(FIRST_PACE, stepOf({ handled: 5, solidHeight: 90 })).waitMs).toBe(0)
    expect(paceAfter(FIRST_PACE, stepOf()).waitMs).toBe(3_000)
    expect(paceAfter(FIRST_PACE, stepOf(), 200).waitMs).toBe(200)
  })

  test('doubles from a second to a minute while failures follow each other', () => {
    let pace: WatchPace = FIRST_PACE
    const waits: number[] = []
    for (let count = 0; count < 9; count += 1) {
      pace = paceAfter(pace, stepOf({ stoppedBy: failure() }))
      waits.push(pace.waitMs)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
    expect(paceAfter(pace, stepOf({ handled: 1, stoppedBy: failure() })).waitMs).toBe(1_000)
    expect(paceAfter(pace, stepOf())).toEqual({ failuresInRow: 0, waitMs: 3_000 })
  })

  test('is never faster than the node asks for, and at most an hour', () => {
    const after = (retryAfterMs: number) =>
      paceAfter(
        FIRST_PACE,
        stepOf({ stoppedBy: failure({ kind: 'rate_limited', retryAfterMs } as WatchStop) }),
      ).waitMs
    expect(after(7_000)).toBe(7_000)
    expect(after(10)).toBe(1_000)
    expect(after(1e12)).toBe(3_600_000)
  })

  test('pauses for half a minute for a node that refuses', () => {
    const stoppedBy = failure({ kind: 'refused', status: 403 } as WatchStop)
    expect(paceAfter(FIRST_PACE, stepOf({ stoppedBy })).waitMs).toBe(30_000)
  })

  test('does not count a missing block, or a node that is behind, as failures', () => {
    const before = { failuresInRow: 4, waitMs: 8_000 }
    const notYet = failure({ kind: 'not_yet' } as WatchStop)
    const below: WatchStop = { kind: 'node_behind', message: '' }
    for (const stoppedBy of [notYet, below]) {
      expect(paceAfter(before, stepOf({ stoppedBy }))).toEqual({ failuresInRow: 0, waitMs: 3_000 })
    }
  })

  test('backs off from a handler that throws', () => {
    const stoppedBy: WatchStop = { kind: 'handler', message: '', error: new Error('down') }
    expect(paceAfter({ failuresInRow: 2, waitMs: 2_000 }, stepOf({ stoppedBy })).waitMs).toBe(4_000)
  })
})
