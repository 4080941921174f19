import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type SharedCounts, sharedCounts } from './rate-limits.ts'

const { database, db, owner } = eachTestDatabase()

const KEY = randomBytes(32)
const MAX = 80
const MINUTE_MS = 60_000

/** A process's counts, on a clock that the test sets. */
function counting({ db }: Pick<TestDatabase, 'db'>) {
  const clock = { ms: 0 }
  const errors: unknown[] = []
  const counts = sharedCounts({
    db,
    key: KEY,
    onError: (error) => errors.push(error),
    // Sent when the test requests it.
    everyMs: 3_600_000,
    now: () => clock.ms,
  })
  onTestFinished(() => counts.stop())
  return { counts, clock, errors }
}

/** Calls so many times; gives the count of the last. */
function call(counts: SharedCounts, times: number, { whose = 'net', url = '/a' } = {}): number {
  let last = 0
  for (let index = 0; index < times; index += 1) last = counts.count(url, whose, MAX).current
  return last
}

describe('calls of one network', () => {
  it('are counted together, whichever process they reach', async () => {
    const [one, two] = [counting(database).counts, counting(database).counts]
    expect([call(one, 60), call(two, 15)]).toEqual([60, 15])
    await one.exchange()
    await two.exchange()
    expect([call(one, 1), call(two, 1)]).toEqual([61, 76])
    await one.exchange()
    expect(call(one, 1)).toBe(77)
  })

  it('are separate for another network, and for another call', async () => {
    const [one, two] = [counting(database).counts, counting(database).counts]
    call(one, 60)
    await one.exchange()
    call(two, 15, { whose: 'another' })
    call(two, 15, { url: '/b' })
    await two.exchange()
    expect(call(two, 1, { whose: 'another' })).toBe(16)
    expect(call(two, 1, { url: '/b' })).toBe(16)
  })

  it('stay local while they are far from the limit', async () => {
    const { counts } = counting(database)
    const shared = () => owner.column('select calls from app.call_count')
    call(counts, MAX / 8 - 1)
    await counts.exchange()
    expect(await shared()).toEqual([])
    call(counts, 1)
    await counts.exchange()
    expect(await shared()).toEqual([10])
  })

  it('of a customer’s many networks count together, four times and sixteen times as many', async () => {
    const one = (n: number) => `2001:db8:1:${n.toString(16)}::/64`
    const first = (networks: readonly string[]) => {
      const { counts } = counting(database)
      return networks.findIndex((whose) => call(counts, 1, { whose }) > MAX)
    }
    expect(first(Array(100).fill(one(0)))).toBe(MAX)
    // All of one /56, and of one /48 only.
    expect(first(Array.from({ length: 4 * MAX + 9 }, (_, n) => one(n % 200)))).toBe(4 * MAX)
    const sites = Array.from({ length: 16 * MAX + 9 }, (_, n) => one((n % 200) * 256))
    expect(first(sites)).toBe(16 * MAX)
    const accounts = sites.map((network, n) => `${network} name ${n}`)
    expect(first(accounts)).toBe(-1)
    // What is too many for one leaves its neighbours their calls.
    const { counts } = counting(database)
    call(counts, 10 * MAX, { whose: one(0) })
    expect(call(counts, 1, { whose: one(1) })).toBeLessThan(MAX)
  })

  it('near their limit are kept, however many others come', async () => {
    const { counts } = counting(database)
    call(counts, MAX - 1)
    for (let n = 0; n < 60_000; n += 1) {
      call(counts, 1, { whose: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` })
    }
    expect(call(counts, 1)).toBe(MAX)
  })

  it('restart when the window of the first is over', async () => {
    const at = Date.UTC(2026, 0, 1)
    await database.freezeClock(at)
    const [one, two] = [counting(database), counting(database)]
    one.clock.ms = 20_000
    call(one.counts, 60)
    one.clock.ms += 15_000
    await one.counts.exchange()
    call(two.counts, 15)
    await two.counts.exchange()
    // The others adopt the remaining time of the first window: 45 s.
    two.clock.ms += 44_999
    expect(call(two.counts, 1)).toBe(76)
    two.clock.ms += 1
    expect(call(two.counts, 15)).toBe(15)
    await database.freezeClock(at + 45_000)
    await two.counts.exchange()
    expect(call(two.counts, 1)).toBe(16)
  })

  it('restart exactly at the end of their window, with a new one, and only others that ended are deleted', async () => {
    const at = Date.UTC(2026, 0, 1)
    const count = async (ms: number, [name, calls, leftMs]: [string, number, number]) => {
      await database.freezeClock(at + ms)
      return database.db.query('select calls, ends_at from app.count_calls($1, $2, $3)', [
        [Buffer.from(name)],
        [calls],
        [leftMs],
      ])
    }
    const names = async () =>
      await database.owner.column<string>(
        `select convert_from(counter, 'UTF8') as name from app.call_count order by counter`,
      )
    expect(await count(0, ['a', 5, 1_000])).toEqual([{ calls: 5, ends_at: at + 1_000 }])
    expect(await count(0, ['b', 1, 1_001])).toEqual([{ calls: 1, ends_at: at + 1_001 }])
    expect(await count(0, ['c', 1, 1_000])).toEqual([{ calls: 1, ends_at: at + 1_000 }])
    expect(await count(999, ['a', 2, 9_000])).toEqual([{ calls: 7, ends_at: at + 1_000 }])
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect(await count(1_000, ['a', 3, 9_000])).toEqual([{ calls: 3, ends_at: at + 10_000 }])
    expect(await names()).toEqual(['a', 'b'])
  })

  it('that ended first are deleted first, however many have ended: their statement walks an index', async () => {
    await database.freezeClock(Date.UTC(2026, 0, 1))
    // The last to end is the first in the order of counters.
    await database.owner.query(
      `insert into app.call_count (counter, ends_at, calls)
       select int4send(1001 - n), app.now() - interval '1 day' + n * interval '1 second', 1
       from generate_series(1, 1001) n`,
    )
    const count = 'select from app.count_calls($1, $2, $3)'
    await database.db.query(count, [[Buffer.from('another')], [1], [MINUTE_MS]])
    const left = "select encode(counter, 'hex') from app.call_count where ends_at <= app.now()"
    expect(await database.owner.column(left)).toEqual(['00000000'])
  })

  it('that began on a clock that was ahead end in time once it is set back', async () => {
    const at = Date.UTC(2026, 0, 1)
    await database.freezeClock(at + 3_600_000)
    const [one, two] = [counting(database), counting(database)]
    call(one.counts, 60)
    await one.counts.exchange()
    await database.freezeClock(at)
    call(two.counts, 15)
    await two.counts.exchange()
    expect(call(two.counts, 1)).toBe(76)
    two.clock.ms += MINUTE_MS
    expect(call(two.counts, 1)).toBe(1)
  })

  it('are not ended for others by a process whose own minute ends sooner', async () => {
    await database.freezeClock(Date.UTC(2026, 0, 1))
    const [one, two] = [counting(database), counting(database)]
    call(two.counts, 1)
    two.clock.ms += MINUTE_MS - 500
    call(one.counts, 60)
    await one.counts.exchange()
    call(two.counts, 14)
    await two.counts.exchange()
    await database.freezeClock(Date.UTC(2026, 0, 1) + 1_000)
    one.clock.ms += 1_000
    call(one.counts, 1)
    await one.counts.exchange()
    expect(call(one.counts, 1)).toBe(77)
  })

  it('restart in one order: two processes whose old counts are the same do not wait for each other', async () => {
    const [first, second] = [Buffer.from('a'), Buffer.from('b')]
    await owner.query(
      `insert into app.call_count (counter, ends_at, calls)
       select counter, app.now() - interval '1 day', 70 from unnest($1::bytea[]) counter`,
      [[first, second]],
    )
    const count = 'select from app.count_calls($1, $2, $3)'
    const values = [[first, second], [5, 5], Array(2).fill(MINUTE_MS)]
    const { other } = await owner.transaction(async (tx) => {
      await tx.query('select from app.call_count where counter = $1 for update', [first])
      // Without a second try after a deadlock.
      const other = db.pool.query(count, values)
      await somebodyWaits({ owner })
      await tx.query(count, values)
      return { other }
    })
    await other
    expect(await owner.column('select calls from app.call_count')).toEqual([10, 10])
  })

  it('are counted by each process separately while the database is down, and shared when it is back', async () => {
    const [{ counts: one, errors }, { counts: two }] = [counting(database), counting(database)]
    await database.takeAway()
    call(one, 60)
    await one.exchange()
    expect(errors).toHaveLength(1)
    expect(call(one, 1)).toBe(61)
    await database.giveBack()
    await one.exchange()
    call(two, 15)
    await two.exchange()
    expect(call(two, 1)).toBe(77)
  })

  it('name no network in the database', async () => {
    const { counts } = counting(database)
    call(counts, 60, { whose: '203.0.113.77 somebody@example.org' })
    await counts.exchange()
    const text = await database.owner.value<string>(
      'select call_count::text as text from app.call_count',
    )
    expect(text).not.toMatch(/203\.0|somebody/)
  })
})
