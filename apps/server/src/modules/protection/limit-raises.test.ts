/** How a player's own limit changes: lower at once, higher when it was requested, waited for and confirmed. */
import { beforeEach, describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { confirmRaise, exclude, setLimit, takePossibleRaises } from './protection-store.ts'
import type { LimitKind, LimitPeriod } from './protection-terms.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 20, 4)

const { database, db, owner } = eachTestDatabase()
let playerId: number

beforeEach(async () => {
  await database.freezeClock(START)
  playerId = await addPlayer(database, { u: 0 })
})

const set = (kind: LimitKind, period: LimitPeriod, amount: bigint | null) =>
  setLimit(db, { playerId, kind, period, amount })
const confirm = (kind: LimitKind, period: LimitPeriod) =>
  confirmRaise(db, { playerId, kind, period })

/** Sets a limit of 100, and requests a higher one. */
async function request(kind: LimitKind, period: LimitPeriod): Promise<void> {
  await set(kind, period, 100n)
  expect(await set(kind, period, 200n)).toBe('raise_asked')
}

/** Each limit, with the hours from the start to its last change and to the request of a higher one. */
function limits(): Promise<string[]> {
  return owner.column<string>(
    `select concat_ws(' ', kind, period, coalesce(amount::text, 'none'), 'since', ${hoursTo('set_at')},
       case when raise_asked_at is not null
         then concat('asked ', coalesce(raise_amount::text, 'none'), ' at ', ${hoursTo('raise_asked_at')}) end) as line
     from protection.player_limit order by kind, period`,
  )
}

function log(): Promise<string[]> {
  return owner.column<string>(
    `select concat_ws(' ', ${hoursTo('at')}, what, details ->> 'kind', details ->> 'period',
       coalesce(details ->> 'before', 'none'), coalesce(details ->> 'after', 'none')) as line
     from protection.change order by id`,
  )
}

function hoursTo(column: string): string {
  return `round((extract(epoch from ${column}) - ${START / 1_000}) / 3600)`
}

/** The limits of which the player is now told that he can confirm a higher one: those of the oldest requests. */
async function told(max = 100): Promise<string[]> {
  const taken = await db.transaction((tx) => takePossibleRaises(tx, max))
  return taken.map(({ kind, period }) => `${kind} ${period}`).sort()
}

describe('a limit that a player sets', () => {
  it('applies at once if it is lower, is requested if it is higher or none, and withdraws a request if it is the present one', async () => {
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

  it('is compared with his own of the same kind and period only', async () => {
    await set('stake', 'day', 100n)
    expect(await set('stake', 'week', 500n)).toBe('lowered')
    expect(await set('loss', 'day', 500n)).toBe('lowered')
    expect(await set('stake', 'day', 300n)).toBe('raise_asked')
    expect(await limits()).toEqual([
      'loss day 500 since 0',
      'stake day 100 since 0 asked 300 at 0',
      'stake week 500 since 0',
    ])
  })

  it('applies also without an entry in the log, and the next entry names it', async () => {
    const change = { playerId, kind: 'stake', period: 'day', amount: 100n, logged: false } as const
    expect(await setLimit(db, change)).toBe('lowered')
    expect(await limits()).toEqual(['stake day 100 since 0'])
    await set('stake', 'day', 99n)
    expect(await log()).toEqual(['0 limit_lowered stake day 100 99'])
  })

  it('is refused for a robot, which has no protection', async () => {
    playerId = await addPlayer(database, { u: 0, robot: true })
    await expect(set('stake', 'day', 100n)).rejects.toThrow('has no protection')
  })
})

describe('a higher limit', () => {
  it('is confirmed from 24 hours after its request on, for seven days, and not 1 ms longer', async () => {
    const at = async (time: number) => {
      await database.freezeClock(time)
      return confirm('stake', 'day')
    }
    expect(await at(START)).toBe('not_asked')
    await set('stake', 'day', 100n)
    expect(await at(START)).toBe('not_asked')
    await set('stake', 'day', 200n)
    expect(await at(START)).toBe('too_early')
    expect(await at(START + DAY - 1)).toBe('too_early')
    expect(await at(START + 8 * DAY)).toBe('not_asked')
    expect(await limits()).toEqual(['stake day 100 since 0 asked 200 at 0'])
    expect(await at(START + 8 * DAY - 1)).toBe('raised')
    expect(await limits()).toEqual(['stake day 200 since 192'])
  })

  it('is confirmed alone, at its first possible instant, and the log says so', async () => {
    await request('stake', 'day')
    await request('stake', 'week')
    await request('loss', 'day')
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
    expect(await log()).toHaveLength(8)
    expect((await log()).at(-1)).toBe('24 limit_raised stake day 100 200')
    expect(await confirm('stake', 'day')).toBe('not_asked')
  })
})

describe('the notice that a higher limit can be confirmed', () => {
  it('is due from 24 hours after the request on until the limit can no longer be confirmed, and once', async () => {
    await request('stake', 'day')
    await database.freezeClock(START + DAY - 1)
    expect(await told()).toEqual([])
    await database.freezeClock(START + 7 * DAY)
    await request('loss', 'day')
    await database.freezeClock(START + 8 * DAY)
    expect(await told()).toEqual(['loss day'])
    await database.freezeClock(START + 8 * DAY - 1)
    expect(await told()).toEqual(['stake day'])
    expect(await told()).toEqual([])
  })

  it('is for that limit alone, and the oldest request comes first', async () => {
    await request('stake', 'day')
    await database.freezeClock(START + HOUR)
    await request('loss', 'day')
    await request('stake', 'week')
    await set('deposit', 'day', 100n)
    await database.freezeClock(START + DAY + HOUR)
    expect(await told(1)).toEqual(['stake day'])
    expect(await told()).toEqual(['loss day', 'stake week'])
    expect(await told()).toEqual([])
  })

  it('is not sent to a frozen or closed account', async () => {
    await request('stake', 'day')
    await database.freezeClock(START + DAY)
    for (const [state, expected] of [
      [`'closed', closed_at = app.now()`, []],
      [`'frozen', closed_at = null`, []],
      [`'active'`, ['stake day']],
    ] as const) {
      await changePlayer(database, playerId, `state = ${state}`)
      expect(await told(), state).toEqual(expected)
    }
  })

  it('of a second request of the same limit is sent too', async () => {
    await request('stake', 'day')
    await database.freezeClock(START + DAY)
    expect(await told()).toEqual(['stake day'])
    await set('stake', 'day', 300n)
    await database.freezeClock(START + 2 * DAY)
    expect(await told()).toEqual(['stake day'])
    expect(await owner.value('select raise_told_for from protection.player_limit')).toBe(
      START + DAY,
    )
  })
})

it('of two changes of a limit at once, the second is compared with the first', async () => {
  const limit = { playerId, kind: 'stake', period: 'day' } as const
  await set('stake', 'day', 100n)
  const second = await answerAfter(database, {
    first: async (tx) => expect(await setLimit(tx, { ...limit, amount: 50n })).toBe('lowered'),
    second: () => set('stake', 'day', 80n),
  })
  expect(second).toBe('raise_asked')
  expect(await limits()).toEqual(['stake day 50 since 0 asked 80 at 0'])
})

it('a higher limit is not confirmed while it is being withdrawn', async () => {
  const limit = { playerId, kind: 'stake', period: 'day' } as const
  await request('stake', 'day')
  await database.freezeClock(START + DAY)
  const answer = await answerAfter(database, {
    first: async (tx) => expect(await setLimit(tx, { ...limit, amount: 50n })).toBe('lowered'),
    second: () => confirm('stake', 'day'),
  })
  expect(answer).toBe('not_asked')
  expect(await limits()).toEqual(['stake day 50 since 24'])
})

it('during a break no higher limit is confirmed or announced, and after it both', async () => {
  await request('stake', 'day')
  await exclude(db, { playerId, kind: 'time_out', lasting: '48 hours' })
  await database.freezeClock(START + 2 * DAY - 1)
  expect(await told()).toEqual([])
  expect(await confirm('stake', 'day')).toBe('excluded')
  await database.freezeClock(START + 2 * DAY)
  // The break does not lengthen the time in which it can be confirmed.
  const announced = await db.transaction((tx) => takePossibleRaises(tx, 100))
  expect(announced).toMatchObject([{ until: START + 8 * DAY }])
  expect(await confirm('stake', 'day')).toBe('raised')
})
