/** The figures of finished rounds, as exact numbers (of days and players: reports.test.ts), and which rounds are counted. */
import { describe, expect, it } from 'vitest'
import { refundRound, settleRound } from '#src/modules/bets/round-bets.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/database/fixtures.ts'
import {
  addPastRounds,
  issueOf,
  type PastRound,
  sealedRounds,
  voidSealedRounds,
} from '#testing/database/past-rounds.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'

const LONG = 1
const SHORT = 2
/** A draw whose sum is long, and one whose sum is short. */
const LONG_DRAW = [7, 8, 0] as const
const SHORT_DRAW = [1, 1, 1] as const

const BEGIN = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000
const FIRST_DAY = '2026-11-20'
const SECOND_DAY = '2026-11-21'

type Bet = { by: number; room: 1 | 2; rules: number[]; u: number }
type Play = { at: number; gameId?: number; gameDay?: string; issue: string; bets: Bet[] }

/** Opens a round, in which the bets are accepted. */
async function playedRound(
  database: TestDatabase,
  { at, gameId = 1, gameDay = FIRST_DAY, issue, bets }: Play,
): Promise<TestRound> {
  await database.freezeClock(at)
  const round = await openTestRound(database, { gameId, issue, gameDay })
  for (const { by, room, rules, u } of bets) {
    const order = orderFor(by, round, { ruleIds: rules, u, room })
    expect(await placeAll(database, [order])).toEqual([null])
  }
  return round
}

async function finishedRound(
  database: TestDatabase,
  { digits, ...play }: Play & { digits: readonly [number, number, number] },
): Promise<void> {
  const round = await playedRound(database, play)
  await drawTestRound(database, round, digits)
  await settleRound(database.db, round, play.gameDay ?? FIRST_DAY)
}

async function voidedRound(database: TestDatabase, play: Play): Promise<void> {
  const round = await playedRound(database, play)
  await database.freezeClock(round.drawsAt)
  await database.db.query(`select rounds.void($1::smallint, $2, 'sealed_late')`, [
    round.gameId,
    round.issue,
  ])
  expect(await refundRound(database.db, round)).toBe(play.bets.length)
}

/**
 * Two games with two rooms each, and two days: three rounds and a voided one of the first day, and one of the second.
 * Long and short pay 1.92 in the first room of a game and 1.93 in the second, and each is half of all draws.
 */
async function playTwoDays(database: TestDatabase): Promise<void> {
  await database.freezeClock(BEGIN - HOUR)
  const ann = await addPlayer(database, { u: 10_000, name: 'ann' })
  const bob = await addPlayer(database, { u: 10_000, name: 'bob' })
  const robot = await addPlayer(database, { u: 10_000, robot: true, name: 'robot' })
  await finishedRound(database, {
    ...{ at: BEGIN, issue: '20261120001', digits: LONG_DRAW },
    bets: [
      { by: ann, room: 1, rules: [LONG, SHORT], u: 100 },
      { by: bob, room: 1, rules: [LONG], u: 200 },
      { by: ann, room: 2, rules: [SHORT], u: 200 },
      { by: robot, room: 1, rules: [SHORT], u: 300 },
    ],
  })
  await finishedRound(database, {
    ...{ at: BEGIN + HOUR, issue: '20261120002', digits: SHORT_DRAW },
    bets: [
      { by: ann, room: 1, rules: [LONG], u: 100 },
      { by: bob, room: 2, rules: [SHORT], u: 200 },
      { by: robot, room: 1, rules: [SHORT], u: 100 },
    ],
  })
  await voidedRound(database, {
    ...{ at: BEGIN + 2 * HOUR, issue: '20261120003' },
    bets: [
      { by: bob, room: 1, rules: [LONG], u: 400 },
      { by: robot, room: 2, rules: [LONG], u: 400 },
    ],
  })
  // The other game's round has the same number as the first.
  await finishedRound(database, {
    ...{ at: BEGIN + 3 * HOUR, gameId: 2, issue: '20261120001', digits: LONG_DRAW },
    bets: [{ by: ann, room: 1, rules: [LONG, SHORT], u: 500 }],
  })
  await finishedRound(database, {
    ...{ at: BEGIN + 24 * HOUR, gameDay: SECOND_DAY, issue: '20261121001', digits: LONG_DRAW },
    bets: [{ by: ann, room: 1, rules: [LONG], u: 300 }],
  })
  expect(await count(database, 'rounds')).toBe(5)
}

/** Amounts in u, the variance in u². */
const FIGURES = `concat(case when robots then 'robots' else 'players' end, ': ', bets, ' bets, ', staked / 1000000,
  ' staked, ', paid / 1000000, ' paid, ', trim_scale(expected / 1000000), ' expected')`
const WITH_VARIANCE = `${FIGURES} || concat(', ', trim_scale(variance / 1e12), ' variance')`

async function lines({ owner }: TestDatabase, question: string): Promise<string[]> {
  return owner.column<string>(question)
}

/** Room 0 is all rooms. */
function roundFigures(database: TestDatabase): Promise<string[]> {
  return lines(
    database,
    `select concat(game_id, ', ', issue, ', room ', room_id, ', ', ${WITH_VARIANCE}) as line
     from console_start.round_figure order by game_id, issue, room_id, robots`,
  )
}

function playerFigures(database: TestDatabase): Promise<string[]> {
  return lines(
    database,
    `select concat(game_day, ', ', username, ', room ', room_id, ', ', ${FIGURES}) as line
     from console_start.player_figure join accounts.player on id = player_id
     order by game_day, player_id, room_id`,
  )
}

it('the figures of a round are those of its own bets, by room and of all, players and robots apart', async () => {
  const database = await createTestDatabase()
  await playTwoDays(database)
  expect(await roundFigures(database)).toEqual([
    // All rooms pay 576 u or 578 u: one draw decides them, so their variances are not added up.
    '1, 20261120001, room 0, players: 3 bets, 600 staked, 576 paid, 577 expected, 1 variance',
    '1, 20261120001, room 0, robots: 1 bets, 300 staked, 0 paid, 288 expected, 82944 variance',
    '1, 20261120001, room 11, players: 2 bets, 400 staked, 576 paid, 384 expected, 36864 variance',
    '1, 20261120001, room 11, robots: 1 bets, 300 staked, 0 paid, 288 expected, 82944 variance',
    '1, 20261120001, room 12, players: 1 bets, 200 staked, 0 paid, 193 expected, 37249 variance',
    '1, 20261120002, room 0, players: 2 bets, 300 staked, 386 paid, 289 expected, 9409 variance',
    '1, 20261120002, room 0, robots: 1 bets, 100 staked, 192 paid, 96 expected, 9216 variance',
    '1, 20261120002, room 11, players: 1 bets, 100 staked, 0 paid, 96 expected, 9216 variance',
    '1, 20261120002, room 11, robots: 1 bets, 100 staked, 192 paid, 96 expected, 9216 variance',
    '1, 20261120002, room 12, players: 1 bets, 200 staked, 386 paid, 193 expected, 37249 variance',
    // The voided round is counted, and its refunded bets are not.
    '1, 20261120003, room 0, players: 0 bets, 0 staked, 0 paid, 0 expected, 0 variance',
    '1, 20261121001, room 0, players: 1 bets, 300 staked, 576 paid, 288 expected, 82944 variance',
    '1, 20261121001, room 11, players: 1 bets, 300 staked, 576 paid, 288 expected, 82944 variance',
    '2, 20261120001, room 0, players: 1 bets, 1000 staked, 960 paid, 960 expected, 0 variance',
    '2, 20261120001, room 21, players: 1 bets, 1000 staked, 960 paid, 960 expected, 0 variance',
  ])
})

it('the expected payout is over all sums, from 0 to 27', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(BEGIN)
  const ann = await addPlayer(database, { u: 10_000, name: 'ann' })
  // Both sums pay 96,000 u, each in one of 1,000 draws.
  const bets: Bet[] = [{ by: ann, room: 1, rules: [400, 427], u: 100 }]
  await finishedRound(database, { at: BEGIN, issue: '20261120001', bets, digits: LONG_DRAW })
  expect(await count(database, 'rounds')).toBe(1)
  const variance = (2 * 96_000 ** 2) / 1000 - 192 ** 2
  expect(await roundFigures(database)).toEqual([
    `1, 20261120001, room 0, players: 1 bets, 200 staked, 0 paid, 192 expected, ${variance} variance`,
    `1, 20261120001, room 11, players: 1 bets, 200 staked, 0 paid, 192 expected, ${variance} variance`,
  ])
  expect(await playerFigures(database)).toEqual([
    '2026-11-20, ann, room 11, players: 1 bets, 200 staked, 0 paid, 192 expected',
  ])
})

it('a bet that is not settled is in no figure', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(BEGIN)
  const ann = await addPlayer(database, { u: 10_000, name: 'ann' })
  const bob = await addPlayer(database, { u: 10_000, name: 'bob' })
  const round = await playedRound(database, {
    ...{ at: BEGIN, issue: '20261120001' },
    bets: [
      { by: ann, room: 1, rules: [LONG], u: 100 },
      { by: bob, room: 1, rules: [LONG], u: 200 },
    ],
  })
  await drawTestRound(database, round, LONG_DRAW)
  expect(await count(database, 'rounds')).toBe(0)
  // One of the two.
  await database.db.query('select bets.settle(1::smallint, $1, 1, $2)', [round.issue, FIRST_DAY])
  await database.owner.query('select console_start.count_round(1::smallint, $1, $2, app.now())', [
    round.issue,
    FIRST_DAY,
  ])
  expect(await roundFigures(database)).toEqual([
    '1, 20261120001, room 0, players: 1 bets, 100 staked, 192 paid, 96 expected, 9216 variance',
    '1, 20261120001, room 11, players: 1 bets, 100 staked, 192 paid, 96 expected, 9216 variance',
  ])
  expect(await playerFigures(database)).toEqual([
    '2026-11-20, ann, room 11, players: 1 bets, 100 staked, 192 paid, 96 expected',
  ])
})

// Round n of a game day seals n x 6 s + 4 s after midnight and draws 2 s later.
const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 24 * HOUR
/** The round of a day that draws at noon. */
const NOON = 7_199

/** Rounds without bets, settled a second after their draw. */
function settled(numbers: number[]): PastRound[] {
  return numbers.map((number) => ({ number, digits: [7, 8, 0] }))
}

async function count({ db }: TestDatabase, which: 'rounds' | 'new_rounds', max = 25) {
  return db.value<number>(`select console_start.count_${which}($1) as done`, [max])
}

/** Each with its game. */
async function countedRounds({ owner }: TestDatabase): Promise<string[]> {
  return owner.column<string>(`select concat(game_id, ' ', issue) as of from console_start.round_figure
     where room_id = 0 and not robots order by game_id, ended_at`)
}

/** Up to when all rounds are counted, by game. */
async function noted({ owner }: TestDatabase): Promise<string[]> {
  return owner.column<string>(`select concat(game_id, ' ', to_char(through at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')) as at
     from console_start.counted order by game_id`)
}

describe('the count of all rounds', () => {
  it('is of each game the oldest first, and waits at the first one that is not settled', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(NOW)
    const gameDay = '2026-11-10'
    await addPastRounds(database, { gameDay }, settled([1, 2, 4]))
    await sealedRounds(database, { gameDay }, [{ number: 3 }])
    await addPastRounds(database, { gameId: 2, gameDay }, settled([1, 2]))
    expect(await count(database, 'rounds', 1)).toBe(2)
    expect(await countedRounds(database)).toEqual(['1 20261110001', '2 20261110001'])
    // The last instant before the second round ends.
    expect(await noted(database)).toEqual([
      '1 2026-11-10 00:00:17.999999',
      '2 2026-11-10 00:00:17.999999',
      '3 2026-11-19 12:00:00.000000',
      '4 2026-11-19 12:00:00.000000',
    ])

    expect(await count(database, 'rounds')).toBe(3)
    const counted = [
      ...['1 20261110001', '1 20261110002', '1 20261110004'],
      ...['2 20261110001', '2 20261110002'],
    ]
    expect(await countedRounds(database)).toEqual(counted)
    const waiting = ['1 2026-11-10 00:00:23.999999', '2 2026-11-19 12:00:00.000000']
    expect((await noted(database)).slice(0, 2)).toEqual(waiting)
    expect(await count(database, 'rounds')).toBe(0)
    expect((await noted(database)).slice(0, 2)).toEqual(waiting)

    await voidSealedRounds(database, { issues: [issueOf(gameDay, 3)] })
    expect(await count(database, 'rounds')).toBe(1)
    expect(await countedRounds(database)).toEqual([...counted, '1 20261110003'].sort())
    expect((await noted(database))[0]).toBe('1 2026-11-19 12:00:00.000000')
  })

  it('checks the last day each time, for a round that was opened late', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(NOW)
    await addPastRounds(database, { gameDay: '2026-11-20' }, settled([1]))
    expect(await count(database, 'rounds')).toBe(1)
    await addPastRounds(database, { gameDay: '2026-11-19' }, settled([NOON + 1]))
    expect(await count(database, 'rounds')).toBe(1)
    expect(await countedRounds(database)).toEqual(['1 202611197200', '1 20261120001'])
  })

  it('does not look again at rounds up to the noted instant, and is not held up by them', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(NOW)
    expect(await count(database, 'rounds')).toBe(0)
    expect((await noted(database))[0]).toBe('1 2026-11-19 12:00:00.000000')
    await addPastRounds(database, { gameDay: '2026-11-19' }, settled([1, NOON]))
    await database.freezeClock(NOW + DAY)
    expect(await count(database, 'new_rounds')).toBe(0)
    expect(await count(database, 'rounds')).toBe(0)
    expect(await countedRounds(database)).toEqual([])
    expect((await noted(database))[0]).toBe('1 2026-11-20 12:00:00.000000')
  })
})

describe('the count of new rounds', () => {
  it('is of each game the newest first, of those settled, and notes nothing', async () => {
    const database = await createTestDatabase()
    await database.freezeClock(NOW)
    const gameDay = '2026-11-20'
    await addPastRounds(database, { gameDay }, settled([1, 2]))
    await sealedRounds(database, { gameDay }, [{ number: 3 }])
    await addPastRounds(database, { gameId: 2, gameDay }, settled([1]))
    expect(await count(database, 'new_rounds', 1)).toBe(2)
    expect(await countedRounds(database)).toEqual(['1 20261120002', '2 20261120001'])
    expect(await count(database, 'new_rounds')).toBe(1)
    expect(await countedRounds(database)).toEqual([
      ...['1 20261120001', '1 20261120002'],
      '2 20261120001',
    ])
    expect(await count(database, 'new_rounds')).toBe(0)
    expect(await noted(database)).toEqual([])
  })

  it('is of rounds that drew less than three days ago', async () => {
    const database = await createTestDatabase()
    await addPastRounds(database, { gameDay: '2026-11-17' }, settled([NOON]))
    await database.freezeClock(NOW)
    expect(await count(database, 'new_rounds')).toBe(0)
    // It sealed before that time, and drew after it.
    await database.freezeClock(NOW - 1)
    expect(await count(database, 'new_rounds')).toBe(1)
    expect(await countedRounds(database)).toEqual(['1 202611177199'])
  })
})

it('while one process counts, another counts nothing and does not wait', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  await database.owner.transaction(async (tx) => {
    await tx.query('select console_start.count_new_rounds(25)')
    await addPastRounds(database, { gameDay: '2026-11-20' }, settled([1]))
    expect(await count(database, 'rounds')).toBe(0)
    expect(await count(database, 'new_rounds')).toBe(0)
  })
  expect(await countedRounds(database)).toEqual([])
  expect(await count(database, 'new_rounds')).toBe(1)
})
