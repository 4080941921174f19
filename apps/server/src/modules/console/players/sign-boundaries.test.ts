/** Early signs at the exact edges of their days and nights; each search is called by itself. */
import { MICRO } from '@sum28/domain/money.ts'
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { findSignsUntil } from './signs-store.ts'

const HOUR = 3_600_000
/** The last day of all searches, a Sunday in Singapore, and the moment at which it begins. */
const SUNDAY = '2026-11-22'
const SUNDAY_BEGINS = Date.UTC(2026, 10, 21, 16)

type Stage = TestDatabase & { playerId: number }

async function stage(): Promise<Stage> {
  const database = await createTestDatabase()
  await database.owner.query(`update protection.house set time_zone = 'Asia/Singapore'`)
  return { ...database, playerId: await addPlayer(database, { u: 1_000 }) }
}

type Facts = { day: string; values: Record<string, string> }[]

/** The facts of the only player of whom a search finds something; null if there is none. */
async function factsOf({ owner }: Stage, search: string): Promise<Facts | null> {
  const rows = await owner.query<{ facts: Facts }>(
    `select facts from console_players.${search}($1)`,
    [SUNDAY],
  )
  return rows.length > 0 ? only(rows).facts : null
}

const daysOf = (facts: Facts | null) => facts?.map(({ day }) => day)

/** Adds two members of staff and returns their ids. */
async function addMembers({ owner }: Stage): Promise<number[]> {
  const rows = await owner.query<{ id: number }>(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
     values ('ann', 'finance', '', '', ''), ('bob', 'finance', '', '', '') returning id`,
  )
  return rows.map(({ id }) => id)
}

/** The 30 days until Sunday: the moment before them, the first, the last, and the one after. */
const THIRTY_DAYS = [
  '2026-10-23 23:59:59.999+08',
  '2026-10-24 00:00+08',
  '2026-11-22 23:59:59.999+08',
  '2026-11-23 00:00+08',
]

it('withdrawals count that were rejected from the first moment of 30 days to the last', async () => {
  const here = await stage()
  const [finance] = await addMembers(here)
  await here.owner.query(
    `insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
     values ($1, 'wallet', '', '', '', '')`,
    [here.playerId],
  )
  for (const [id, at] of THIRTY_DAYS.entries()) {
    await here.owner.query(
      `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, state,
         rejected_by, reject_reason, decided_at)
       select player_id, $1, id, 5000000, '2026-11-01', 0, 'rejected', $2, 'the player asked', $3
       from withdrawals.pay_method`,
      [id, finance, at],
    )
  }
  const facts = await factsOf(here, 'rejected_withdrawals')
  expect(daysOf(facts)).toEqual(['2026-10-24', SUNDAY])
})

it('limits count that were raised from the first moment of 30 days to the last', async () => {
  const here = await stage()
  for (const at of [...THIRTY_DAYS, '2026-11-01 12:00+08']) {
    await here.owner.query(
      `insert into protection.change (player_id, at, what, details) values ($1, $2, 'limit_raised', '{}')`,
      [here.playerId, at],
    )
  }
  const facts = await factsOf(here, 'raised_limits')
  expect(daysOf(facts)).toEqual(['2026-10-24', SUNDAY, '2026-11-01'])
})

it('losses are chased in the last 28 days, although the days before are compared with', async () => {
  const here = await stage()
  for (const [day, u] of [
    ['2026-10-23', 10],
    ['2026-10-24', 10],
    ['2026-10-25', 16],
    ['2026-10-26', 25],
    ['2026-10-27', 38],
  ] as const) {
    await here.owner.query('insert into bets.player_day values ($1, $2, $3, 0)', [
      ...[here.playerId, day, BigInt(u) * MICRO],
    ])
  }
  const facts = await factsOf(here, 'chased_losses')
  expect(daysOf(facts)).toEqual(['2026-10-26', '2026-10-27'])
})

let references = 0

type Deposit = { here: Stage; at: string; u: number; members: number[] }

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
  async bank({ here, at, u, members: [ann, bob] }: Deposit) {
    references += 1
    const rows = await here.owner.query<{ id: bigint }>(
      `insert into staff.proposal (kind, subject, player_id, content, proposed_by, proposed_at, state, confirmed_by,
         confirmed_at)
       values ('bank_deposit', 'player:' || $1::integer, $1,
         jsonb_build_object('amount', $2::bigint, 'reference', $3::text, 'reference_key', app.reference_key($3)),
         $4, app.now(), 'confirmed', $5, $6) returning id`,
      [here.playerId, BigInt(u) * MICRO, `BANK ${references}`, ann, bob, at],
    )
    return `bank:${only(rows).id}`
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
  ['on the chain', 'chain'],
  ['by bank', 'bank'],
  ['that were held and released', 'released'],
] as const)(
  'the four weeks of growing deposits %s begin and end at midnight',
  async (_which, kind) => {
    const here = await stage()
    const members = await addMembers(here)
    const deposit = (at: string, u: number) => DEPOSITS[kind]({ here, at, u, members })
    for (const [position, at] of WEEKS.entries()) await deposit(at, position + 1)
    // Each would be a fifth week, or make the first one the largest.
    await deposit(BEFORE_WEEKS, 100)
    await deposit(AFTER_WEEKS, 100)
    const facts = await factsOf(here, 'growing_deposits')
    const deposited = facts?.map(({ values }) => values.deposited)
    expect(deposited).toEqual(['1000000', '2000000', '3000000', '4000000'])
  },
)

it.each([
  ['on the chain', 'chain'],
  ['by bank', 'bank'],
] as const)('a deposit %s does not count while it is held', async (_which, kind) => {
  const here = await stage()
  const members = await addMembers(here)
  const deposit = (at: string, u: number) => DEPOSITS[kind]({ here, at, u, members })
  for (const [position, at] of WEEKS.slice(0, 3).entries()) await deposit(at, position + 1)
  const last = await deposit(WEEKS[3] ?? '', 4)
  expect(await factsOf(here, 'growing_deposits')).toHaveLength(4)
  await here.owner.query(
    `insert into protection.held_deposit (player_id, amount, reference, because, held_at)
     values ($1, 4000000, $2, 'limit', $3)`,
    [here.playerId, last, WEEKS[3]],
  )
  expect(await factsOf(here, 'growing_deposits')).toBeNull()
})

/** Bets 100 u on each of two rules in a new round of the same game. */
async function bet(here: Stage, at: number): Promise<void> {
  await here.freezeClock(at)
  const gameDay = new Date(at + 8 * HOUR).toISOString().slice(0, 10)
  const round = await openTestRound(here, { gameDay })
  expect(await placeAll(here, [orderFor(here.playerId, round, { ruleIds: [1, 2] })])).toEqual([
    null,
  ])
}

async function countNight({ owner }: Stage) {
  await owner.query('select console_players.count_night($1)', [SUNDAY])
  return owner.query('select bets, staked from console_players.night')
}

it('a night counts each bet once, with all of its stakes, from midnight on', async () => {
  const here = await stage()
  // Its round is still open at midnight.
  await bet(here, SUNDAY_BEGINS - 1)
  expect(await countNight(here)).toEqual([])
  await bet(here, SUNDAY_BEGINS + HOUR)
  await bet(here, SUNDAY_BEGINS + 2 * HOUR)
  expect(await countNight(here)).toEqual([{ bets: 2, staked: 400n * MICRO }])
})

it('a night does not count bets that were refunded', async () => {
  const here = await stage()
  await bet(here, SUNDAY_BEGINS + HOUR)
  await here.owner.query(`update bets.bet set status = 'refunded', settled_at = app.now()`)
  expect(await countNight(here)).toEqual([])
})

it('nights are kept for 30 days, so that the next search finds them too', async () => {
  const here = await stage()
  const { db, owner, playerId } = here
  const nights = ['2026-10-22', '2026-10-23', '2026-10-24', '2026-11-09', '2026-11-18']
  const lately = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']
  await owner.query(
    `insert into console_players.night (player_id, day, bets, staked)
     select $1, unnest($2::date[]), 1, 1000000`,
    [playerId, [...nights, ...lately]],
  )
  await here.freezeClock(SUNDAY_BEGINS + 26 * HOUR)
  expect(await findSignsUntil(db, SUNDAY)).toBe(1)
  const first = only(
    await owner.query<{ day: string }>('select min(day)::text as day from console_players.night'),
  )
  expect(first).toEqual({ day: '2026-10-23' })
  await here.freezeClock(SUNDAY_BEGINS + 50 * HOUR)
  expect(await findSignsUntil(db, '2026-11-23')).toBe(1)
  const rows = await owner.query<{ facts: Facts }>('select facts from console_players.sign')
  expect(daysOf(only(rows).facts)).toEqual(['2026-11-18', ...lately])
})

it('of two searches of one day at once the second waits, and finds that it was done', async () => {
  const here = await stage()
  await here.freezeClock(SUNDAY_BEGINS + 26 * HOUR)
  const { late } = await here.owner.transaction(async (tx) => {
    expect(await findSignsUntil(tx, SUNDAY)).toBe(0)
    const late = findSignsUntil(here.db, SUNDAY)
    await somebodyWaits(here)
    return { late }
  })
  expect(await late).toBeNull()
})
