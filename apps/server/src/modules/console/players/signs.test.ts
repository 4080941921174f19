/** Early signs: each at its limits and at the exact edges of its days and nights, searched for once a day. */
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { staffToken } from '#testing/people/staff.ts'
import { findSigns, findSignsUntil, signPage } from './signs-store.ts'

const HOUR = 3_600_000
/** The last day of most searches, a Sunday in Singapore, and the moment at which it begins. */
const SUNDAY = '2026-11-22'
const SUNDAY_BEGINS = Date.UTC(2026, 10, 21, 16)
/** One o'clock of the next day. */
const MONDAY = SUNDAY_BEGINS + 25 * HOUR

type Stage = TestDatabase & { playerId: number }

async function stage(): Promise<Stage> {
  const database = await createTestDatabase()
  await database.owner.query(`update protection.house set time_zone = 'Asia/Singapore'`)
  await database.freezeClock(MONDAY)
  return { ...database, playerId: await addPlayer(database, { u: 2_000 }) }
}

type Facts = { day: string; values: Record<string, string> }[]

/** The signs that a search of all finds. */
async function found({ owner, db }: Stage) {
  await owner.query('delete from console_players.signs_day')
  await findSignsUntil(db, SUNDAY)
  const page = await signPage(db, {})
  if (!('list' in page)) throw new Error('the list was refused')
  return page.list.map(({ kind, facts }) => ({ kind, facts }))
}

/** The facts of the only player of whom one search finds something; null if there is none. */
async function factsOf({ owner }: Stage, search: string, day = SUNDAY): Promise<Facts | null> {
  const [facts = null, ...others] = await owner.column<Facts>(
    `select facts from console_players.${search}($1)`,
    [day],
  )
  expect(others).toEqual([])
  return facts
}

const daysOf = (facts: Facts | null) => facts?.map(({ day }) => day)

let references = 0

type Deposit = { here: Stage; at: string; u: number }

/** How a deposit comes to be there at a moment; returns the reference of its posting. */
const DEPOSITS = {
  async chain({ here, at, u }: Deposit) {
    references += 1
    await here.owner.query(
      `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
         player_id, credited_at) values ($1, 0, 1, $2, 'from', 'to', $3, $4, $2)`,
      [String(references), at, BigInt(u) * MICRO, here.playerId],
    )
    return `usdt:${references}:0`
  },
  async bank({ here, at, u }: Deposit) {
    references += 1
    for (const _person of [1, 2]) await staffToken(here)
    const id = await here.owner.value<bigint>(
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at, state, confirmed_by,
         confirmed_at)
       values ('bank_deposit', 'player:' || $1::integer, $1,
         jsonb_build_object('amount', $2::bigint, 'reference', $3::text),
         1, app.now(), 'confirmed', 2, $4) returning id`,
      [here.playerId, BigInt(u) * MICRO, `BANK ${references}`, at],
    )
    return `bank:${id}`
  },
  async released({ here, at, u }: Deposit) {
    references += 1
    await here.owner.query(
      `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_at)
       values ($1, $2, $3, 'limit', '2026-10-01', 'released', $4)`,
      [here.playerId, BigInt(u) * MICRO, `released:${references}`, at],
    )
    return `released:${references}`
  },
}

/** The moment before the four weeks, a moment in each, the first one when they begin, and the one when they end. */
const BEFORE_WEEKS = '2026-10-25 23:59:59.999+08'
const WEEKS = [
  '2026-10-26 00:00+08',
  '2026-11-02 12:00+08',
  '2026-11-09 12:00+08',
  '2026-11-16 12:00+08',
]
const AFTER_WEEKS = '2026-11-23 00:00+08'

it.each([
  ['on the chain', 'chain', true],
  ['by bank', 'bank', true],
  ['that were held and released', 'released', false],
] as const)(
  'the four weeks of growing deposits %s begin and end at midnight, and none counts while it is held',
  async (_which, kind, mayBeHeld) => {
    const here = await stage()
    const deposit = (at: string, u: number) => DEPOSITS[kind]({ here, at, u })
    let last = ''
    for (const [position, at] of WEEKS.entries()) last = await deposit(at, position + 1)
    // Each would be a fifth week, or make the first one the largest.
    await deposit(BEFORE_WEEKS, 100)
    await deposit(AFTER_WEEKS, 100)
    const facts = await factsOf(here, 'growing_deposits')
    const deposited = facts?.map(({ values }) => values.deposited)
    expect(deposited).toEqual(['1000000', '2000000', '3000000', '4000000'])
    // On Saturday the week is not over, and the four before it are another four.
    expect(await factsOf(here, 'growing_deposits', '2026-11-21')).toBeNull()
    if (!mayBeHeld) return
    await here.owner.query(
      `insert into protection.held_deposit (player_id, amount, reference, because, held_at)
       values ($1, 4000000, $2, 'limit', $3)`,
      [here.playerId, last, WEEKS[3]],
    )
    expect(await factsOf(here, 'growing_deposits')).toBeNull()
  },
)

it('deposits that grow in each week after a first one are a sign', async () => {
  const here = await stage()
  const others = [
    [1, 2, 3, 3],
    [0, 1, 2, 3],
    [4, 3, 2, 1],
  ]
  for (const weekly of [[1, 2, 3, 4], ...others]) {
    const playerId = await addPlayer(here, { u: 0 })
    for (const [at, u] of weekly.entries()) {
      if (u > 0) await DEPOSITS.chain({ here: { ...here, playerId }, at: WEEKS[at] ?? '', u })
    }
  }
  const facts = ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'].map((day, at) => ({
    day,
    values: { deposited: String(BigInt(at + 1) * MICRO) },
  }))
  expect(await found(here)).toEqual([{ kind: 'deposits_growing', facts }])
})

it('what was taken back of a deposit does not let deposits grow', async () => {
  const here = await stage()
  let last = ''
  for (const [at, week] of WEEKS.entries()) {
    last = await DEPOSITS.bank({ here, at: week, u: at + 1 })
  }
  expect(await factsOf(here, 'growing_deposits')).not.toBeNull()
  await here.owner.query(
    `insert into staff.proposal (kind, subject, player_id, content, reason, proposed_by, proposed_at, state,
       confirmed_by, confirmed_at)
     values ('debit', 'player:' || $1::integer, $1, jsonb_build_object('amount', 1000000, 'deposit', $2::bigint), 'x', 1,
       app.now(), 'confirmed', 2, app.now())`,
    [here.playerId, last.slice('bank:'.length)],
  )
  expect(await factsOf(here, 'growing_deposits')).toBeNull()
})

/** The 30 days until Sunday: the moment before them, the first, the last, and the one after. */
const THIRTY_DAYS = [
  '2026-10-23 23:59:59.999+08',
  '2026-10-24 00:00+08',
  '2026-11-22 23:59:59.999+08',
  '2026-11-23 00:00+08',
]

it('limits that were raised three times in 30 days are a sign', async () => {
  const here = await stage()
  const raise = (at: string) =>
    here.owner.query(
      `insert into protection.change (player_id, at, what, details) values ($1, $2, 'limit_raised',
         '{"kind": "loss", "period": "day", "before": "5000000", "after": null}')`,
      [here.playerId, at],
    )
  for (const at of THIRTY_DAYS) await raise(at)
  expect(await found(here)).toEqual([])
  await raise('2026-11-01 00:00+08')
  const values = { kind: 'loss', period: 'day', before: '5000000' }
  const facts = ['2026-10-24', SUNDAY, '2026-11-01'].map((day) => ({ day, values }))
  expect(await found(here)).toEqual([{ kind: 'limits_raised', facts }])
})

it('withdrawals that were rejected twice in 30 days are a sign', async () => {
  const here = await stage()
  await staffToken(here)
  const method = await addPayMethod(here, here.playerId)
  for (const [id, at] of THIRTY_DAYS.entries()) {
    await here.owner.query(
      `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
         rejected_by, reject_reason, decided_at)
       values ($1, $2, $3, 5000000, '2026-11-01', 0, 'rejected', 1, 'the player asked', $4)`,
      [here.playerId, id, method, at],
    )
    if (id === 1) expect(await found(here)).toEqual([])
  }
  const values = { amount: '5000000', reason: 'the player asked' }
  const facts = ['2026-10-24', SUNDAY].map((day) => ({ day, values }))
  expect(await found(here)).toEqual([{ kind: 'withdrawals_rejected', facts }])
})

describe('chasing losses', () => {
  type Day = [date: string, staked: number, paid: number]

  /** The signs of players who have each played on these days. */
  async function play(...players: Day[][]) {
    const here = await stage()
    for (const days of players) {
      const playerId = await addPlayer(here, { u: 0 })
      for (const [date, staked, paid] of days) {
        await here.owner.query('insert into bets.player_day values ($1, $2, $3, $4)', [
          ...[playerId, `2026-${date}`, BigInt(staked) * MICRO, BigInt(paid) * MICRO],
        ])
      }
    }
    return found(here)
  }

  it('means to stake twice more than 1.5 times as much after two losing days of play', async () => {
    const losing: Day[] = [
      ['11-01', 10, 0],
      ['11-03', 20, 5],
    ]
    const [sign, ...others] = await play(
      [...losing, ['11-08', 31, 0], ['11-09', 47, 100]],
      // Exactly 1.5 times as much, after a day that was no loss, and once alone.
      [...losing, ['11-08', 30, 0], ['11-09', 47, 0]],
      [...losing, ['11-08', 31, 31], ['11-09', 48, 0]],
      [...losing, ['11-08', 31, 0], ['11-09', 40, 0]],
    )
    expect(others).toEqual([])
    expect(sign).toEqual({
      kind: 'chasing_losses',
      facts: [
        {
          day: '2026-11-08',
          values: { staked: '31000000', staked_before: '20000000', lost_before: '25000000' },
        },
        {
          day: '2026-11-09',
          values: { staked: '47000000', staked_before: '31000000', lost_before: '46000000' },
        },
      ],
    })
  })

  it('is found in the last 28 days, although the days before are compared with', async () => {
    const [sign] = await play([
      ['10-23', 10, 0],
      ['10-24', 10, 0],
      ['10-25', 16, 0],
      ['10-26', 25, 0],
      ['10-27', 38, 0],
    ])
    expect(daysOf(sign?.facts ?? null)).toEqual(['2026-10-26', '2026-10-27'])
  })
})

/** Bets 100 u on each of two rules in a new round. */
async function bet(
  here: Stage,
  at: number,
  { by = [here.playerId], gameId = 1 }: { by?: number[]; gameId?: number } = {},
): Promise<void> {
  await here.freezeClock(at)
  const gameDay = new Date(at + 8 * HOUR).toISOString().slice(0, 10)
  const round = await openTestRound(here, { gameDay, gameId })
  const placed = await placeAll(
    here,
    by.map((id) => orderFor(id, round, { ruleIds: [1, 2] })),
  )
  expect(placed).toEqual(by.map(() => null))
}

it('a night counts each bet of a person once, with all of its stakes, from midnight until 5, and none that was refunded', async () => {
  const here = await stage()
  const robot = await addPlayer(here, { u: 2_000, robot: true })
  const count = async () => {
    await here.owner.query('select console_players.count_night($1)', [SUNDAY])
    return here.owner.query('select player_id, bets, staked from console_players.night')
  }
  // The round of the first is still open at midnight; each is of another game, so that none is the one before.
  const moments = [-1, 0, 5 * HOUR - 1, 5 * HOUR]
  for (const [at, ms] of moments.entries()) {
    await bet(here, SUNDAY_BEGINS + ms, { by: [here.playerId, robot], gameId: at + 1 })
  }
  expect(await count()).toEqual([{ player_id: here.playerId, bets: 2, staked: 400n * MICRO }])
  await here.owner.query(
    `delete from console_players.night;
     update bets.bet set status = 'refunded', settled_at = app.now()`,
  )
  expect(await count()).toEqual([])
})

it('a night ends at 5 on the clock also when the clock is put back in it', async () => {
  const here = await stage()
  await here.owner.query(`update protection.house set time_zone = 'Europe/Berlin'`)
  for (const time of ['2026-10-25T03:59:59Z', '2026-10-25T04:00:00Z']) {
    await bet(here, Date.parse(time), { gameId: time.includes('04:') ? 2 : 1 })
  }
  await here.owner.query(`select console_players.count_night('2026-10-25')`)
  const nights = await here.owner.query('select bets from console_players.night')
  expect(nights).toEqual([{ bets: 1 }])
})

it('five of the last 14 nights are a sign; they are kept for 30 days, so that the next search finds them too', async () => {
  const here = await stage()
  const { db, owner, playerId } = here
  const addNights = (...days: string[]) =>
    owner.query(
      `insert into console_players.night (player_id, day, bets, staked)
       select $1, unnest($2::date[]), 1, 1000000`,
      [playerId, days],
    )
  const lately = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']
  await addNights('2026-10-22', '2026-10-23', '2026-11-08', ...lately)
  expect(await found(here)).toEqual([])
  const first = 'select min(day)::text from console_players.night'
  expect(await owner.value(first)).toBe('2026-10-23')
  await addNights('2026-11-09')
  const values = { bets: '1', staked: '1000000' }
  const facts = ['2026-11-09', ...lately].map((day) => ({ day, values }))
  expect(await found(here)).toEqual([{ kind: 'nights', facts }])
  await addNights(SUNDAY)
  await here.freezeClock(SUNDAY_BEGINS + 50 * HOUR)
  expect(await findSignsUntil(db, '2026-11-23')).toBe(1)
  const later = await owner.value<Facts>('select facts from console_players.sign')
  expect(daysOf(later)).toEqual([...lately, SUNDAY])
})

it('a search counts each night once, and none before the last fourteen', async () => {
  const here = await stage()
  let gameId = 0
  const dayOf = (date: number) => `2026-11-${String(date).padStart(2, '0')}`
  const at = (date: number, hour: number) => Date.UTC(2026, 10, date) + (hour - 8) * HOUR
  async function search(date: number) {
    await here.freezeClock(at(date + 1, 2))
    await findSignsUntil(here.db, dayOf(date))
    return here.owner.column<string>('select day::text from console_players.night order by day')
  }
  for (const date of [8, 9, 22]) await bet(here, at(date, 1), { gameId: ++gameId })
  expect(await search(22)).toEqual([dayOf(9), dayOf(22)])
  // The nights until the first search are not counted again.
  await here.owner.query('delete from console_players.night')
  await bet(here, at(23, 1), { gameId: ++gameId })
  expect(await search(23)).toEqual([dayOf(23)])
})

it('signs are searched for once a day, keep their first day, and disappear when they do not apply any more', async () => {
  const { db, owner, playerId, freezeClock } = await stage()
  for (const day of ['2026-10-24', '2026-11-01', '2026-11-02']) {
    await owner.query(
      `insert into protection.change (player_id, at, what, details) values ($1, $2, 'limit_raised', '{}')`,
      [playerId, `${day} 12:00+08`],
    )
  }
  const look = (now: number) => findSigns({ db, timeZone: 'Asia/Singapore', now: () => now })
  expect([await look(MONDAY), await look(MONDAY)]).toEqual([1, null])
  const days = () =>
    owner.query('select since_day::text, until_day::text from console_players.sign')
  expect(await days()).toEqual([{ since_day: SUNDAY, until_day: SUNDAY }])
  await freezeClock(MONDAY + 24 * HOUR)
  // On Monday the first of them is more than 30 days ago.
  expect(await look(MONDAY + 24 * HOUR)).toBe(0)
  expect(await days()).toEqual([])
  // An unfinished day is never checked, nor an earlier one again.
  await expect(findSignsUntil(db, '2026-11-24')).rejects.toThrow('not over')
  expect(await findSignsUntil(db, SUNDAY)).toBeNull()
})

it('of two searches of one day at once the second waits, and finds that it was done', async () => {
  const here = await stage()
  const late = await answerAfter(here, {
    first: async (tx) => expect(await findSignsUntil(tx, SUNDAY)).toBe(0),
    second: () => findSignsUntil(here.db, SUNDAY),
  })
  expect(late).toBeNull()
})
