import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedEntry } from '#src/data/feed.ts'
import type { News } from '#src/data/room-news.ts'
import { calmNews } from '#src/screens/room/calm-news.ts'

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

const entries = (...ids: number[]): News => ({ asOf: performance.now(), entries: ids.map(entry) })
const money = (): News => ({ asOf: performance.now(), money: { balance: 5n, bought: 0n } })
const idsOf = (told: News[]) => told.map((news) => news.entries?.map(({ id }) => id))

describe('the news of a busy room', () => {
  let told: News[] = []
  let calm = calmNews(() => {})

  beforeEach(() => {
    vi.useFakeTimers()
    told = []
    calm = calmNews((news) => told.push(news))
  })
  afterEach(() => {
    calm.stop()
    vi.useRealTimers()
  })

  it('hands on at once what comes alone', () => {
    calm.take(entries(1))
    vi.advanceTimersByTime(1_000)
    calm.take(entries(2))
    expect(idsOf(told)).toEqual([[1], [2]])
  })

  it('gathers entries that come soon after others, and loses none', () => {
    calm.take(entries(1))
    for (const id of [2, 3, 4]) {
      vi.advanceTimersByTime(60)
      calm.take(entries(id))
    }
    expect(idsOf(told)).toEqual([[1]])
    vi.advanceTimersByTime(100)
    expect(idsOf(told)).toEqual([[1], [2, 3, 4]])
  })

  it('holds back nothing but entries, and what waits goes before', () => {
    calm.take(entries(1))
    calm.take(entries(2))
    calm.take(money())
    expect(idsOf(told)).toEqual([[1], [2]])
    expect(told[1]?.money?.balance).toBe(5n)
    calm.take(money())
    expect(told).toHaveLength(3)
    expect(told[2]).not.toHaveProperty('entries')
  })

  it('tells once what a stream that began anew tells twice', () => {
    calm.take(entries(1))
    calm.take(entries(2, 3))
    calm.take(entries(2, 3, 4))
    vi.advanceTimersByTime(300)
    expect(idsOf(told)).toEqual([[1], [2, 3, 4]])
  })

  it('hands on that there are no entries, for that is news too', () => {
    calm.take(entries())
    expect(idsOf(told)).toEqual([[]])
  })

  it('says nothing more once it is stopped', () => {
    calm.take(entries(1))
    calm.take(entries(2))
    calm.stop()
    vi.advanceTimersByTime(1_000)
    expect(idsOf(told)).toEqual([[1]])
  })
})
