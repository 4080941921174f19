import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedEntry } from '#src/data/feed.ts'
import type { RoomUpdate } from '#src/data/live/room-update.ts'
import { batchUpdates } from '#src/screens/room/batch-updates.ts'

function entry(id: number): FeedEntry {
  return {
    id,
    issue: '138',
    playerId: 1,
    nickname: 'an***a',
    outcomes: ['long'],
    ruleIds: [1],
    stake: 1_000_000n,
    total: 1_000_000n,
    robot: false,
  }
}

const entries = (...ids: number[]): RoomUpdate => ({
  receivedAt: performance.now(),
  entries: ids.map(entry),
})
const money = (): RoomUpdate => ({
  receivedAt: performance.now(),
  money: { balance: 5n, version: 1n },
})
const idsOf = (received: RoomUpdate[]) =>
  received.map((update) => update.entries?.map(({ id }) => id))

describe('the updates of a busy room', () => {
  let received: RoomUpdate[] = []
  let batches = batchUpdates(() => {})

  beforeEach(() => {
    vi.useFakeTimers()
    received = []
    batches = batchUpdates((update) => received.push(update))
  })
  afterEach(() => {
    batches.stop()
    vi.useRealTimers()
  })

  it('are passed on at once if they come alone', () => {
    batches.add(entries(1))
    vi.advanceTimersByTime(1_000)
    batches.add(entries(2))
    expect(idsOf(received)).toEqual([[1], [2]])
  })

  it('are collected if they come soon after others, and none is lost', () => {
    batches.add(entries(1))
    for (const id of [2, 3, 4]) {
      vi.advanceTimersByTime(60)
      batches.add(entries(id))
    }
    expect(idsOf(received)).toEqual([[1]])
    vi.advanceTimersByTime(100)
    expect(idsOf(received)).toEqual([[1], [2, 3, 4]])
  })

  it('wait only if they have entries alone, and keep their order', () => {
    batches.add(entries(1))
    batches.add(entries(2))
    batches.add(money())
    expect(idsOf(received)).toEqual([[1], [2]])
    expect(received[1]?.money?.balance).toBe(5n)
    batches.add(money())
    expect(received).toHaveLength(3)
    expect(received[2]).not.toHaveProperty('entries')
  })

  it('are passed on once if a new stream sends them twice', () => {
    batches.add(entries(1))
    batches.add(entries(2, 3))
    batches.add(entries(2, 3, 4))
    vi.advanceTimersByTime(300)
    expect(idsOf(received)).toEqual([[1], [2, 3, 4]])
  })

  it('are passed on also with an empty list of entries', () => {
    batches.add(entries())
    expect(idsOf(received)).toEqual([[]])
  })

  it('are not passed on after the stop', () => {
    batches.add(entries(1))
    batches.add(entries(2))
    batches.stop()
    vi.advanceTimersByTime(1_000)
    expect(idsOf(received)).toEqual([[1]])
  })
})
