/**
 * Goal: what is known of a running round and of a balance is what the server said last, in any order in which its words
 * come: doubled, late, by a stream or by a beat. Method: every order of a server's states, and random ones with the
 * instants at which they are received.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laterOf } from '#src/data/live/later.ts'
import {
  laterRound,
  type RunningRound,
  runningRoundFromWire,
} from '#src/data/live/running-round.ts'
import { endOf } from '#src/parts/countdown.ts'

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) =>
    ordersOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  )
}

/** The states of a game, one after the other: due, open, sealed, with its root, and the next two rounds. */
const STATES = [
  ['20261120410', true, 0, null],
  ['20261120410', false, 9, null],
  ['20261120410', true, 0, null],
  ['20261120410', true, 0, 'root'],
  ['20261121001', false, 180, null],
  ['', true, 0, null],
] as const

function reportOf(state: number, receivedAt = 0): RunningRound {
  const [issue, whether_close, openTime1, book_root] = STATES[state] ?? STATES[0]
  const version = `${100 + state}`
  const wire = { issue, whether_close, openTime1, draw_in: 0, book_root, version }
  return runningRoundFromWire(wire, receivedAt)
}

describe('the later one of two facts', () => {
  it('stands at the end of every order of arrival', () => {
    for (const order of ordersOf(STATES.map((_, state) => state))) {
      const known = order
        .map((state) => reportOf(state))
        .reduce((one, next) => laterRound(one, next))
      expect(known).toEqual(reportOf(STATES.length - 1))
    }
  })

  it('is never replaced by an earlier one, however often and late each comes', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n })), (versions) => {
        let known: { version: bigint } | null = null
        for (const version of versions) {
          const received = { version }
          known = laterOf<{ version: bigint }>(known, received)
          expect(known === received || known.version > version).toBe(true)
        }
        const last = versions.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? -1n
        expect(known?.version ?? -1n).toBe(last)
      }),
    )
  })

  it('compares numbers and not texts, at any size', () => {
    const one = { version: 9_999_999_999_999_999n }
    const next = { version: 10_000_000_000_000_000n }
    expect(laterOf(one, next)).toBe(next)
    expect(laterOf(next, one)).toBe(next)
  })
})

describe('a running round', () => {
  it('does not seal later because the answer that names its seconds was slow', () => {
    const known = laterRound(reportOf(1, 1_000), reportOf(1, 6_000))
    expect(endOf(known.clock)).toBe(10_000)
  })

  it('seals as the server says after the device has slept, whose own clock stood still', () => {
    const slept = {
      ...reportOf(1, 1_000),
      clock: { of: '20261120410', seconds: 2, sampledAt: 1_500 },
    }
    expect(endOf(laterRound(reportOf(1, 1_000), slept).clock)).toBe(3_500)
  })

  it('takes the seconds of its opening, whatever was said of them before it', () => {
    expect(laterRound(reportOf(0, 500), reportOf(1, 1_000)).clock.seconds).toBe(9)
  })
})
