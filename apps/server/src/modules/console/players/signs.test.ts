/** Early signs: each at its limits, searched for once a day. */
import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { findSigns, findSignsUntil, signPage } from './signs-store.ts'

const HOUR = 3_600_000
/** Monday, 23 November 2026, 1:00 in Singapore: the day before is a Sunday. */
const MONDAY = Date.UTC(2026, 10, 22, 17)
const SUNDAY = '2026-11-22'

async function stage() {
  const database = await createTestDatabase()
  await database.owner.query(`update protection.house set time_zone = 'Asia/Singapore'`)
  await database.freezeClock(MONDAY)
  const playerId = await addPlayer(database, { u: 1_000 })
  return { database, owner: database.owner, playerId }
}

async function found(database: TestDatabase, until = SUNDAY) {
  await database.owner.query('delete from console_players.signs_day')
  await findSignsUntil(database.db, until)
  const page = await signPage(database.db, {})
  if (!('list' in page)) throw new Error('the list was refused')
  return page.list.map(({ kind, facts }) => ({ kind, facts }))
}

let transfers = 0
async function deposit(
  { owner, playerId }: Awaited<ReturnType<typeof stage>>,
  at: string,
  u: number,
) {
  transfers += 1
  await owner.query(
    `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount,
       player_id, credited_at) values ($1, 0, $2, $3, 'from', 'to', $4, $5, $3)`,
    [String(transfers).padStart(64, '0'), transfers, at, BigInt(u) * MICRO, playerId],
  )
}

describe('deposits that grow week by week', () => {
  /** A moment in each of the four weeks from Monday on, in Singapore. */
  const WEEKS = [
    '2026-10-26 00:00+08',
    '2026-11-02 12:00+08',
    '2026-11-09 12:00+08',
    '2026-11-22 23:59:59.999+08',
  ]

  it.each([
    { of: [1, 2, 3, 4], sign: true },
    { of: [1, 2, 3, 3], sign: false },
    { of: [0, 1, 2, 3], sign: false },
    { of: [4, 3, 2, 1], sign: false },
  ])('of $of u are a sign: $sign', async ({ of, sign }) => {
    const here = await stage()
    for (const [at, u] of of.entries()) if (u > 0) await deposit(here, WEEKS[at] ?? '', u)
    const facts = of.map((u, at) => ({
      day: ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'][at],
      values: { deposited: String(BigInt(u) * MICRO) },
    }))
    const signs = await found(here.database)
    expect(signs).toEqual(sign ? [{ kind: 'deposits_growing', facts }] : [])
  })

  it('end with the last whole week, to the millisecond', async () => {
    const here = await stage()
    for (const [at, moment] of WEEKS.entries()) await deposit(here, moment, at + 1)
    // On Saturday the week is not over, and the four before it are another four.
    expect(await found(here.database, '2026-11-21')).toEqual([])
    await deposit(here, '2026-10-25 23:59:59.999+08', 100)
    expect(await found(here.database)).toHaveLength(1)
  })

  it('count a held one when it is released, and a bank deposit when it is confirmed', async () => {
    const here = await stage()
    const { owner, playerId } = here
    for (const [at, u] of [1, 2, 3].entries()) await deposit(here, WEEKS[at] ?? '', u)
    await deposit(here, WEEKS[3] ?? '', 2)
    await owner.query(
      `insert into protection.held_deposit (player_id, amount, reference, because, held_at, state, decided_at)
       values ($1, 5000000, 'usdt:' || $2 || ':0', 'limit', $3, 'held', null)`,
      [playerId, String(transfers).padStart(64, '0'), WEEKS[3]],
    )
    expect(await found(here.database)).toEqual([])
    await owner.query(`update protection.held_deposit set state = 'released', decided_at = $1`, [
      WEEKS[3],
    ])
    expect(await found(here.database)).toHaveLength(1)
  })
})

it('limits that were raised three times in 30 days are a sign', async () => {
  const { database, owner, playerId } = await stage()
  const raise = (at: string) =>
    owner.query(
      `insert into protection.change (player_id, at, what, details) values ($1, $2, 'limit_raised',
         '{"kind": "loss", "period": "day", "before": "5000000", "after": null}')`,
      [playerId, at],
    )
  await raise('2026-10-23 23:59:59.999+08')
  await raise('2026-10-24 00:00+08')
  await raise('2026-11-22 23:59:59.999+08')
  expect(await found(database)).toEqual([])
  await raise('2026-11-01 00:00+08')
  const [sign] = await found(database)
  expect(sign?.kind).toBe('limits_raised')
  expect(sign?.facts.map(({ day }) => day)).toEqual(['2026-10-24', '2026-11-22', '2026-11-01'])
  expect(sign?.facts[0]?.values).toEqual({ kind: 'loss', period: 'day', before: '5000000' })
})

describe('chasing losses', () => {
  async function play(days: [day: string, staked: number, paid: number][]) {
    const { database, owner, playerId } = await stage()
    for (const [day, staked, paid] of days) {
      await owner.query('insert into bets.player_day values ($1, $2, $3, $4)', [
        ...[playerId, day, BigInt(staked) * MICRO, BigInt(paid) * MICRO],
      ])
    }
    return found(database)
  }

  it('means to stake twice more than 1.5 times as much after two losing days of play', async () => {
    const signs = await play([
      ['2026-11-01', 10, 0],
      ['2026-11-03', 20, 5],
      ['2026-11-08', 31, 0],
      ['2026-11-09', 47, 100],
    ])
    expect(signs).toEqual([
      {
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
      },
    ])
  })

  it.each([
    ['exactly 1.5 times as much', 30, 0, 47],
    ['a day before that was no loss', 31, 31, 48],
    ['once alone', 31, 0, 40],
  ])('is not %s', async (_what, third, paid, fourth) => {
    expect(
      await play([
        ['2026-11-01', 10, 0],
        ['2026-11-03', 20, 5],
        ['2026-11-08', third, paid],
        ['2026-11-09', fourth, 0],
      ]),
    ).toEqual([])
  })
})

it('withdrawals that were rejected twice in 30 days are a sign', async () => {
  const { database, owner, playerId } = await stage()
  await owner.query(
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
     values ($1, 'wallet', '', '', '', '')`,
    [playerId],
  )
  await owner.query(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
     values ('member', 'finance', '', '', '')`,
  )
  const reject = (id: number, at: string) =>
    owner.query(
      `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
         rejected_by, reject_reason, decided_at)
       select $1, $2, pay_method.id, 5000000, '2026-11-01', 0, 'rejected', member.id, 'the player asked', $3
       from withdrawals.pay_method, staff.member where member.name = 'member'`,
      [playerId, id, at],
    )
  await reject(1, '2026-11-02 00:00+08')
  expect(await found(database)).toEqual([])
  await reject(2, '2026-11-20 12:00+08')
  const values = { amount: '5000000', reason: 'the player asked' }
  expect(await found(database)).toEqual([
    {
      kind: 'withdrawals_rejected',
      facts: [
        { day: '2026-11-02', values },
        { day: '2026-11-20', values },
      ],
    },
  ])
})

it('five nights of 14 with bets are a sign; a night ends at 5 in the morning', async () => {
  const { database, playerId } = await stage()
  const { owner } = database
  const robot = await addPlayer(database, { u: 1_000, robot: true })
  async function bet(at: number) {
    await database.freezeClock(at)
    const day = new Date(at + 8 * HOUR).toISOString().slice(0, 10)
    // Rounds of different games, so that none is the one before.
    const gameId = 1 + (new Date(at).getUTCDate() % 4)
    const round = await openTestRound(database, { gameId, gameDay: day })
    const orders = [playerId, robot].map((id) => orderFor(id, round))
    expect(await placeAll(database, orders)).toEqual([null, null])
  }
  const night = (date: number, ms: number) => Date.UTC(2026, 10, date) - 8 * HOUR + ms
  await bet(night(18, 5 * HOUR - 1))
  for (const date of [19, 20, 21]) await bet(night(date, HOUR))
  await bet(night(22, 5 * HOUR))
  await database.freezeClock(MONDAY)
  expect(await found(database)).toEqual([])
  const nights = () => owner.query('select day::text, bets, staked from console_players.night')
  expect(await nights()).toHaveLength(4)

  await bet(night(22, 0))
  await database.freezeClock(MONDAY)
  await owner.query('delete from console_players.night')
  const [sign] = await found(database)
  expect(sign?.kind).toBe('nights')
  expect(sign?.facts.map(({ day }) => day)).toEqual(
    ['18', '19', '20', '21', '22'].map((date) => `2026-11-${date}`),
  )
  expect(sign?.facts[0]?.values).toEqual({ bets: '1', staked: '100000000' })
})

it('signs are searched for once a day, keep their first day, and disappear when they do not apply any more', async () => {
  const { database, owner, playerId } = await stage()
  const { db } = database
  for (const day of ['2026-10-24', '2026-11-01', '2026-11-02']) {
    await owner.query(
      `insert into protection.change (player_id, at, what, details) values ($1, $2, 'limit_raised', '{}')`,
      [playerId, `${day} 12:00+08`],
    )
  }
  const look = (now: number) => findSigns({ db, timeZone: 'Asia/Singapore', now: () => now })
  expect(await Promise.all([look(MONDAY), look(MONDAY), look(MONDAY)])).toEqual(
    expect.arrayContaining([1, null, null]),
  )
  const days = () =>
    owner.query('select since_day::text, until_day::text from console_players.sign')
  expect(await days()).toEqual([{ since_day: SUNDAY, until_day: SUNDAY }])
  await database.freezeClock(MONDAY + 24 * HOUR)
  // On Monday the first of them is more than 30 days ago.
  expect(await look(MONDAY + 24 * HOUR)).toBe(0)
  expect(await days()).toEqual([])
  // An unfinished day is never checked, nor an earlier one again.
  await expect(findSignsUntil(db, '2026-11-24')).rejects.toThrow('not over')
  expect(await findSignsUntil(db, SUNDAY)).toBeNull()
})
