import { describe, expect, it } from 'vitest'
import { isRefusal } from '#src/refusal/refusal.ts'
import { concurrencyLimit } from './concurrency-limit.ts'

/** The n-th /64 of a /48, and of as many /56 as asked. */
const customer = (n: number, sites = 1) =>
  `2001:db8:1:${((n % sites) * 256 + Math.floor(n / sites)).toString(16)}::/64`

/** Begins work of networks one after the other, and ends none; counts what began. */
function begun(
  limit: ReturnType<typeof concurrencyLimit<'network'>>,
  networks: readonly string[],
): number {
  return networks.filter((network) => !isRefusal(limit.begin({ network }))).length
}

const many = (count: number, sites?: number) =>
  Array.from({ length: count }, (_, n) => customer(n, sites))

describe('work of one customer’s many networks at once', () => {
  it('is limited to four times that of one in a /56, and to sixteen times in a /48', () => {
    const max = { network: 3 }
    expect(begun(concurrencyLimit(max, 1), Array(10).fill(customer(0)))).toBe(3)
    expect(begun(concurrencyLimit(max, 1), many(200))).toBe(12)
    expect(begun(concurrencyLimit(max, 1), many(2_000, 100))).toBe(48)
  })

  it('takes at most half of all places', () => {
    const places = concurrencyLimit({ all: 20, network: 3 }, 1)
    const begin = (network: string) => !isRefusal(places.begin({ all: '', network }))
    expect(many(200, 100).filter(begin)).toHaveLength(10)
    // His own places are full, not the house.
    const refusal = { refused: 'too_many_requests', details: { retry_after: 1 } }
    expect(places.begin({ all: '', network: customer(0) })).toEqual(refusal)
    expect(begin('192.0.2.7')).toBe(true)
  })

  it('of a dozen networks leaves places to others: each has an eighth while more than half is taken', () => {
    const places = concurrencyLimit({ all: 104, network: 16 }, 1)
    const ends: (() => void)[] = []
    const begin = (network: string) => {
      const end = places.begin({ all: '', network })
      if (!isRefusal(end)) ends.push(end)
      return !isRefusal(end)
    }
    const asOftenAsItCan = (network: string) => Array(104).fill(network).filter(begin).length
    const addresses = Array.from({ length: 30 }, (_, n) => `192.0.2.${n}`)
    expect(addresses.slice(0, 9).map(asOftenAsItCan)).toEqual([16, 16, 16, 5, 2, 2, 2, 2, 2])
    // Those around a /64 have no more than an eighth either: of half of all.
    expect(many(60, 10).filter(begin)).toHaveLength(6)
    expect(asOftenAsItCan('192.0.2.99')).toBe(2)
    for (const end of ends) end()
    expect(asOftenAsItCan('192.0.2.99')).toBe(16)
  })

  it('ends for all of them, once, however often it is said', () => {
    const limit = concurrencyLimit({ network: 1 }, 1)
    const ends = many(4).map((network) => limit.begin({ network }))
    expect(limit.begin({ network: customer(5) })).toMatchObject({ refused: 'too_many_requests' })
    for (let n = 0; n < 2; n += 1) if (!isRefusal(ends[0])) ends[0]?.()
    expect(begun(limit, [customer(5), customer(6)])).toBe(1)
  })
})
