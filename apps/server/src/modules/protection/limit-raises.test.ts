/** How a player's own limit changes: lower at once, higher when it was requested, waited for and confirmed. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { confirmRaise, exclude, setLimit, takePossibleRaises } from './protection-store.ts'
import type { LimitKind, LimitPeriod } from './protection-terms.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 20, 4)

async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(START)
  return withPlayer(database, await addPlayer(database, { u: 0 }))
}

/** The calls of a player, and the rows that they leave. */
function withPlayer(database: TestDatabase, playerId: number) {
  const { db, owner } = database
  return {
    database,
    playerId,
    set: (kind: LimitKind, period: LimitPeriod, amount: bigint | null) =>
      setLimit(db, { playerId, kind, period, amount }),
    confirm: (kind: LimitKind, period: LimitPeriod) => confirmRaise(db, { playerId, kind, period }),
    /** Each of his limits, with the hours from the start to its last change and to the request of a higher one. */
    limits: () =>
      lines(
        owner,
        `select concat_ws(' ', kind, period, coalesce(amount::text, 'none'), 'since', ${hoursTo('set_at')},
           case when raise_asked_at is not null
             then concat('asked ', coalesce(raise_amount::text, 'none'), ' at ', ${hoursTo('raise_asked_at')}) end) as line
         from protection.player_limit where player_id = $1 order by kind, period`,
        playerId,
      ),
    log: () =>
      lines(
        owner,
        `select concat_ws(' ', ${hoursTo('at')}, what, details ->> 'kind', details ->> 'period',
           coalesce(details ->> 'before', 'none'), coalesce(details ->> 'after', 'none')) as line
         from protection.change where player_id = $1 order by id`,
        playerId,
      ),
  }
}

function hoursTo(column: string): string {
  return `round((extract(epoch from ${column}) - ${START / 1_000}) / 3600)`
}

async function lines(owner: TestDatabase['owner'], query: string, playerId: number) {
  return await owner.column<string>(query, [playerId])
}

describe('a limit that a player sets', () => {
  it('applies at once if it is lower, is requested if it is higher or none, and withdraws a request if it is the present one', async () => {
    const { database, set, limits, log } = await stage()
    for (const [hour, amount, answer, limit] of [
      [0, 100n, 'lowered', '100 since 0'],
      [0, 100n, 'same', '100 since 0'],
      [0, 150n, 'raise_asked', '100 since 0 asked 150 at 0'],
      [1, 99n, 'lowered', '99 since 1'],
      [2, null, 'raise_asked', '99 since 1 asked none at 2'],
      [3, 101n, 'raise_asked', '99 since 1 asked 101 at 3'],
      [4, 99n, 'same', '99 since 1'],
    ] as const) {
      await database.freezeClock(START + hour * HOUR)
      expect(await set('stake', 'day', amount)).toBe(answer)
      expect(await limits()).toEqual([`stake day ${limit}`])
    }
    // None, where there was none.
    expect(await set('loss', 'day', null)).toBe('same')
    expect(await limits()).toHaveLength(1)
    expect(await log()).toEqual([
      '0 limit_lowered stake day none 100',
      '0 limit_raise_asked stake day 100 150',
      '1 limit_lowered stake day 100 99',
      '2 limit_raise_asked stake day 99 none',
      '3 limit_raise_asked stake day 99 101',
      '4 limit_same stake day 99 99',
    ])
  })

  it.each([
    ['stake', 'week'],
    ['loss', 'day'],
  ] as const)('for %s and %s is compared with his own of the same only', async (kind, period) => {
    const { set, limits } = await stage()
    await set('stake', 'day', 100n)
    expect(await set(kind, period, 500n)).toBe('lowered')
    expect(await set('stake', 'day', 300n)).toBe('raise_asked')
    expect(await limits()).toEqual(
      [`${kind} ${period} 500 since 0`, 'stake day 100 since 0 asked 300 at 0'].sort(),
    )
  })

  it('applies also without an entry in the log, and the next entry names it', async () => {
    const { database, playerId, set, limits, log } = await stage()
    const change = { playerId, kind: 'stake', period: 'day', amount: 100n, logged: false } as const
    expect(await setLimit(database.db, change)).toBe('lowered')
    expect(await limits()).toEqual(['stake day 100 since 0'])
    await set('stake', 'day', 99n)
    expect(await log()).toEqual(['0 limit_lowered stake day 100 99'])
  })

  it('is refused for a robot, which has no protection', async () => {
    const { database } = await stage()
    const robot = withPlayer(database, await addPlayer(database, { u: 0, robot: true }))
    await expect(robot.set('stake', 'day', 100n)).rejects.toThrow('has no protection')
  })
})

describe('a higher limit', () => {
  it('is confirmed from 24 hours after its request on, for seven days, and not 1 ms longer', async () => {
    const { database, set, confirm, limits } = await stage()
    expect(await confirm('stake', 'day')).toBe('not_asked')
    await set('stake', 'day', 100n)
    expect(await confirm('stake', 'day')).toBe('not_asked')
    await set('stake', 'day', 200n)
    const at = async (time: number) => {
      await database.freezeClock(time)
      return confirm('stake', 'day')
    }
    expect(await at(START)).toBe('too_early')
    expect(await at(START + DAY - 1)).toBe('too_early')
    expect(await at(START + 8 * DAY)).toBe('not_asked')
    expect(await limits()).toEqual(['stake day 100 since 0 asked 200 at 0'])
    expect(await at(START + 8 * DAY - 1)).toBe('raised')
    expect(await limits()).toEqual(['stake day 200 since 192'])
  })

  it('is confirmed alone, at its first possible instant, and the log says so', async () => {
    const { database, set, confirm, limits, log } = await stage()
    for (const [kind, period] of [
      ['stake', 'day'],
      ['stake', 'week'],
      ['loss', 'day'],
    ] as const) {
      await set(kind, period, 100n)
      await set(kind, period, 200n)
    }
    await set('deposit', 'day', 50n)
    await database.freezeClock(START + DAY)
    expect(await confirm('stake', 'month')).toBe('not_asked')
    expect(await confirm('deposit', 'day')).toBe('not_asked')
    expect(await confirm('stake', 'day')).toBe('raised')
    expect(await limits()).toEqual([
      'deposit day 50 since 0',
      'loss day 100 since 0 asked 200 at 0',
      'stake day 200 since 24',
      'stake week 100 since 0 asked 200 at 0',
    ])
    expect((await log()).at(-1)).toBe('24 limit_raised stake day 100 200')
    expect(await log()).toHaveLength(8)
    expect(await confirm('stake', 'day')).toBe('not_asked')
  })
})

describe('the notice that a higher limit can be confirmed', () => {
  const taken = async ({ db }: TestDatabase, max = 100) =>
    (await db.transaction((tx) => takePossibleRaises(tx, max)))
      .map(({ playerId, kind, period }) => `${playerId} ${kind} ${period}`)
      .sort()

  async function requested() {
    const ann = await stage()
    await ann.set('stake', 'day', 100n)
    await ann.set('stake', 'day', 200n)
    return { ...ann, notice: `${ann.playerId} stake day` }
  }

  it('is due from 24 hours after the request on until the limit can no longer be confirmed, and once', async () => {
    const { database, playerId, set, notice } = await requested()
    await database.freezeClock(START + DAY - 1)
    expect(await taken(database)).toEqual([])
    await database.freezeClock(START + 7 * DAY)
    await set('loss', 'day', 100n)
    await set('loss', 'day', 200n)
    await database.freezeClock(START + 8 * DAY)
    expect(await taken(database)).toEqual([`${playerId} loss day`])
    await database.freezeClock(START + 8 * DAY - 1)
    expect(await taken(database)).toEqual([notice])
    expect(await taken(database)).toEqual([])
  })

  it('is for that limit alone, and the oldest request comes first', async () => {
    const { database, playerId, set } = await requested()
    await database.freezeClock(START + HOUR)
    for (const [kind, period] of [
      ['loss', 'day'],
      ['stake', 'week'],
    ] as const) {
      await set(kind, period, 100n)
      await set(kind, period, 200n)
    }
    await set('deposit', 'day', 100n)
    await database.freezeClock(START + DAY + HOUR)
    expect(await taken(database, 1)).toEqual([`${playerId} stake day`])
    expect(await taken(database)).toEqual([`${playerId} loss day`, `${playerId} stake week`])
    expect(await taken(database)).toEqual([])
  })

  it.each(['frozen', 'closed'])('is not sent to a %s account', async (state) => {
    const { database, playerId, notice } = await requested()
    const set = (to: string) =>
      database.owner.query(
        `update accounts.player set state = $2, closed_at = case $2 when 'closed' then app.now() end
         where id = $1`,
        [playerId, to],
      )
    await set(state)
    await database.freezeClock(START + DAY)
    expect(await taken(database)).toEqual([])
    if (state === 'closed') return
    await set('active')
    expect(await taken(database)).toEqual([notice])
  })
})

it('a second request of the same limit has its own notice', async () => {
  const { database, set } = await stage()
  await set('stake', 'day', 100n)
  const told = async (amount: bigint, at: number) => {
    await set('stake', 'day', amount)
    await database.freezeClock(at)
    return (await database.db.transaction((tx) => takePossibleRaises(tx, 100))).length
  }
  expect(await told(200n, START + DAY)).toBe(1)
  expect(await told(300n, START + 2 * DAY)).toBe(1)
  expect(await database.owner.value('select raise_told_for from protection.player_limit')).toBe(
    START + DAY,
  )
})

it('of two changes of a limit at once, the second is compared with the first', async () => {
  const { database, playerId } = await stage()
  const limit = { playerId, kind: 'stake', period: 'day' } as const
  await setLimit(database.db, { ...limit, amount: 100n })
  const second = await answerAfter(database, {
    first: async (tx) => expect(await setLimit(tx, { ...limit, amount: 50n })).toBe('lowered'),
    second: () => setLimit(database.db, { ...limit, amount: 80n }),
  })
  expect(second).toBe('raise_asked')
  expect(await database.owner.query('select amount from protection.player_limit')).toEqual([
    { amount: 50n },
  ])
})

it('a higher limit is not confirmed while it is being withdrawn', async () => {
  const { database, playerId, set, confirm } = await stage()
  const limit = { playerId, kind: 'stake', period: 'day' } as const
  await set('stake', 'day', 100n)
  await set('stake', 'day', 150n)
  await database.freezeClock(START + DAY)
  const answer = await answerAfter(database, {
    first: async (tx) => expect(await setLimit(tx, { ...limit, amount: 50n })).toBe('lowered'),
    second: () => confirm('stake', 'day'),
  })
  expect(answer).toBe('not_asked')
  expect(await database.owner.query('select amount from protection.player_limit')).toEqual([
    { amount: 50n },
  ])
})

it('during a break no higher limit is confirmed or announced, and after it both', async () => {
  const { database, playerId, set, confirm } = await stage()
  await set('stake', 'day', 100n)
  await set('stake', 'day', 200n)
  await exclude(database.db, { playerId, kind: 'time_out', lasting: '48 hours' })
  const told = () => database.db.transaction((tx) => takePossibleRaises(tx, 100))
  await database.freezeClock(START + 2 * DAY - 1)
  expect(await told()).toEqual([])
  expect(await confirm('stake', 'day')).toBe('excluded')
  await database.freezeClock(START + 2 * DAY)
  // The break does not lengthen the time in which it can be confirmed.
  expect(await told()).toMatchObject([{ until: START + 8 * DAY }])
  expect(await confirm('stake', 'day')).toBe('raised')
})
