/** The pure functions of the room's parts. */
import { MICRO } from '@sum28/domain/money.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionTimeText } from '#src/screens/room/clock-card.tsx'
import { blocksOf } from '#src/screens/room/feed.tsx'
import { closesAt, directionOf } from '#src/screens/room/persistent-sheet.tsx'
import type { FeedEntry } from '#src/screens/room/room-update.ts'
import { isShort } from '#src/screens/room/use-room.ts'

it.each([
  [0, 'en', '0m'],
  [59, 'en', '59m'],
  [65, 'en', '1h 5m'],
  [65, 'ja', '1時間5分'],
  [5, 'zh-CN', '5 分钟'],
])('%i minutes of play are written in %s as %s', (minutes, tag, text) => {
  expect(sessionTimeText(minutes, tag)).toBe(text)
})

function entry(id: number, roundId: string): FeedEntry {
  return {
    id,
    roundId,
    playerId: 1,
    nickname: 'an***a',
    outcomes: ['long'],
    ruleIds: [1],
    stake: 1_000_000n,
    total: 1_000_000n,
    robot: false,
  }
}

/** A feed as a room keeps it: ids grow, and rounds with them. */
const feeds = fc
  .uniqueArray(fc.integer({ min: 1, max: 5_000 }), { maxLength: 200 })
  .map((ids) =>
    ids.sort((one, other) => one - other).map((id) => entry(id, `round ${Math.floor(id / 70)}`)),
  )

describe('the blocks of a feed', () => {
  it('hold all entries in their order, each block those of one round', () => {
    fc.assert(
      fc.property(feeds, (feed) => {
        const blocks = blocksOf(feed)
        expect(blocks.flatMap(({ entries }) => entries)).toEqual(feed)
        for (const { roundId, entries } of blocks) {
          expect(entries.every((each) => each.roundId === roundId)).toBe(true)
        }
        expect(new Set(blocks.map(({ key }) => key)).size).toBe(blocks.length)
      }),
    )
  })

  it('keep an entry in its block when older ones are dropped and newer ones are added', () => {
    fc.assert(
      fc.property(feeds, fc.nat(200), fc.nat(200), (feed, from, to) => {
        const keyOf = (part: FeedEntry[]) =>
          new Map(blocksOf(part).flatMap((b) => b.entries.map((each) => [each.id, b.key] as const)))
        const keys = keyOf(feed)
        for (const [id, key] of keyOf(feed.slice(from, to))) expect(key).toBe(keys.get(id))
      }),
    )
  })
})

const REQUIRED = 100n * MICRO

it('a room counts its unsettled stakes as money, and decides nothing before the first beat', () => {
  expect(isShort({ balance: null, bought: 0n }, REQUIRED)).toBe(false)
  expect(isShort({ balance: 40n * MICRO, bought: 60n * MICRO }, REQUIRED)).toBe(false)
  expect(isShort({ balance: 40n * MICRO, bought: 59_999_999n }, REQUIRED)).toBe(true)
  expect(isShort({ balance: 0n, bought: 0n }, 0n)).toBe(false)
})

describe('a finger on the bet panel', () => {
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

  it('closes it when it moved far or fast, and otherwise the panel returns', () => {
    expect(closesAt({ movedPx: 200, heightPx: 500, tookMs: 2_000 })).toBe(true)
    expect(closesAt({ movedPx: 60, heightPx: 500, tookMs: 80 })).toBe(true)
    expect(closesAt({ movedPx: 100, heightPx: 500, tookMs: 800 })).toBe(false)
  })
})
