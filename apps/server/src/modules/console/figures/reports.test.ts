/** The figures of finished rounds and the reports that are made of them: of two days, each number computed by hand. */
import type { ReportBy } from '@sum28/contract/staff-reports-routes.ts'
import { startOfDay } from '@sum28/domain/schedule.ts'
import { expect, it } from 'vitest'
import type { KeysetRequest } from '#src/db/list.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { countAllRounds } from './figures-store.ts'
import {
  type ActivityRequest,
  activityPage,
  countRows,
  type ReportRequest,
  type ReportRow,
  reportPage,
  reportSum,
} from './report-store.ts'

const { database, db, owner } = eachTestDatabase()

const LONG = 1
const SHORT = 2
/** A draw whose sum is long, and one whose sum is short. */
const LONG_DRAW = [7, 8, 0] as const
const SHORT_DRAW = [1, 1, 1] as const

const HOUR = 3_600_000
const ZONE = 'America/New_York'
const FIRST_DAY = '2026-11-20'
const SECOND_DAY = '2026-11-21'
const BEGIN = Date.UTC(2026, 10, 20, 12)
const [FIRST_BEGINS, SECOND_BEGINS, ENDS] = [FIRST_DAY, SECOND_DAY, '2026-11-22'].map((day) =>
  startOfDay(ZONE, day),
) as [number, number, number]

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
    await placeAccepted(database, [orderFor(by, round, { ruleIds: rules, u, room })])
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
  await voidTestRound(database, round)
  expect(await settleRound(database.db, round, FIRST_DAY)).toBe(play.bets.length)
}

type Money = [at: number, playerId: number, moves: readonly string[], u: number]

/** Moves money of players in each of these ways. */
async function moveMoney(database: TestDatabase, steps: readonly Money[]): Promise<void> {
  for (const [index, [at, playerId, moves, u]] of steps.entries()) {
    await database.freezeClock(at)
    for (const move of moves) {
      await database.owner.query(
        // Booked on an earlier day, which does not count.
        `select wallet.move('${move}', array[row($1, '2026-10-29', $2, $3)::wallet.movement])`,
        [playerId, BigInt(u) * 1_000_000n, `test:${at}:${index}`],
      )
    }
  }
}

/**
 * Two games with two rooms each, and two days: three rounds of the first day and one of the second; a voided round of
 * another game, and one that is not settled.
 * Long and short pay 1.92 in the first room of a game and 1.93 in the second, and each is half of all draws. Each way
 * to move money, and money at the first and the last instants of the days.
 */
async function playTwoDays(database: TestDatabase): Promise<{ bob: number }> {
  await database.freezeClock(FIRST_BEGINS - 48 * HOUR)
  const ann = await addPlayer(database, { u: 10_000, name: 'ann' })
  const bob = await addPlayer(database, { u: 10_000, name: 'bob' })
  const robot = await addPlayer(database, { u: 10_000, robot: true, name: 'robot' })
  await moveMoney(database, [
    [FIRST_BEGINS - 1, ann, ['deposit'], 5_000],
    [FIRST_BEGINS, ann, ['deposit'], 10],
    [FIRST_BEGINS, ann, ['deposit_held'], 20],
    [FIRST_BEGINS, bob, ['deposit_held', 'deposit_released'], 40],
    [FIRST_BEGINS, bob, ['deposit_held', 'deposit_refunded'], 80],
    [FIRST_BEGINS, ann, ['withdrawal', 'withdrawal_paid'], 160],
    [FIRST_BEGINS, ann, ['withdrawal', 'withdrawal_released'], 320],
    [FIRST_BEGINS, bob, ['withdrawal', 'withdrawal_paid', 'withdrawal_reversed'], 640],
    [FIRST_BEGINS, ann, ['bonus'], 3],
    [FIRST_BEGINS, bob, ['adjustment_credit'], 5],
    [FIRST_BEGINS, bob, ['adjustment_debit'], 9],
  ])
  await finishedRound(database, {
    at: BEGIN,
    issue: '20261120001',
    digits: LONG_DRAW,
    bets: [
      { by: ann, room: 1, rules: [LONG, SHORT], u: 100 },
      { by: bob, room: 1, rules: [LONG], u: 200 },
      { by: ann, room: 2, rules: [SHORT], u: 200 },
      { by: robot, room: 1, rules: [SHORT], u: 300 },
    ],
  })
  await finishedRound(database, {
    at: BEGIN + HOUR,
    issue: '20261120002',
    digits: SHORT_DRAW,
    bets: [
      { by: ann, room: 1, rules: [LONG], u: 100 },
      { by: bob, room: 2, rules: [SHORT], u: 200 },
      { by: robot, room: 1, rules: [SHORT], u: 100 },
    ],
  })
  await voidedRound(database, {
    at: BEGIN + 2 * HOUR,
    gameId: 3,
    issue: '20261120003',
    bets: [
      { by: bob, room: 1, rules: [LONG], u: 400 },
      { by: robot, room: 2, rules: [LONG], u: 400 },
    ],
  })
  // The other game's round has the same number as the first.
  await finishedRound(database, {
    at: BEGIN + 3 * HOUR,
    gameId: 2,
    issue: '20261120001',
    digits: LONG_DRAW,
    bets: [{ by: ann, room: 1, rules: [LONG, SHORT], u: 500 }],
  })
  await moveMoney(database, [[SECOND_BEGINS, bob, ['deposit'], 1_000]])
  await finishedRound(database, {
    at: BEGIN + 24 * HOUR,
    gameDay: SECOND_DAY,
    issue: '20261121001',
    digits: LONG_DRAW,
    bets: [{ by: ann, room: 1, rules: [LONG], u: 300 }],
  })
  // The bets of this one are not settled: they are in no figure.
  const drawn = await playedRound(database, {
    at: BEGIN + 25 * HOUR,
    gameDay: SECOND_DAY,
    issue: '20261121002',
    bets: [{ by: ann, room: 1, rules: [LONG], u: 100 }],
  })
  await drawTestRound(database, drawn, LONG_DRAW)
  await moveMoney(database, [
    [ENDS - 1, bob, ['bonus'], 7],
    [ENDS, bob, ['deposit'], 5_000],
  ])
  await countAllRounds(database.db)
  return { bob }
}

/** Amounts in u, the variance in u². Room 0 is all rooms. */
function roundFigures({ owner }: TestDatabase): Promise<string[]> {
  return owner.column<string>(
    `select concat(game_id, ', ', issue, ', room ', room_id, ', ',
       case when robots then 'robots' else 'players' end, ': ', bets, ' bets, ', staked / 1000000, ' staked, ',
       paid / 1000000, ' paid, ', trim_scale(expected / 1000000), ' expected, ', trim_scale(variance / 1e12),
       ' variance')
     from console_start.round_figure order by game_id, issue, room_id, robots`,
  )
}

it('the figures of a round are those of its own bets, by room and of all, players and robots apart', async () => {
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

    '1, 20261121001, room 0, players: 1 bets, 300 staked, 576 paid, 288 expected, 82944 variance',
    '1, 20261121001, room 11, players: 1 bets, 300 staked, 576 paid, 288 expected, 82944 variance',
    '2, 20261120001, room 0, players: 1 bets, 1000 staked, 960 paid, 960 expected, 0 variance',
    '2, 20261120001, room 21, players: 1 bets, 1000 staked, 960 paid, 960 expected, 0 variance',
    // The voided round is counted, and its refunded bets are not.
    '3, 20261120003, room 0, players: 0 bets, 0 staked, 0 paid, 0 expected, 0 variance',
  ])
})

function askFor(by: ReportBy, filter: Partial<ReportRequest> = {}): ReportRequest {
  const days = { beginDay: FIRST_DAY, endDay: SECOND_DAY, from: FIRST_BEGINS, until: ENDS }
  const all = { gameId: null, roomId: null, playerId: null }
  return { by, robots: false, zone: ZONE, ...days, ...all, ...filter }
}

/** A row in words, its amounts in u. */
function inWords(row: ReportRow): string {
  const about = [row.day, row.game, row.room, row.username].filter((name) => name !== null)
  const u = (amount: bigint | null) => Number(amount) / 1e6
  const { bets, turnover, payouts, expected, deviation, deposits, withdrawals, adjustments } = row
  return [
    `${about.join(' ')}: ${bets} bets, ${u(turnover)} staked, ${u(payouts)} paid, ${u(expected)} expected`,
    ...(deviation === null ? [] : [` ± ${u(deviation)}`]),
    ...(deposits === null ? [] : [`, ${u(deposits)} in, ${u(withdrawals)} out`]),
    ...(adjustments === null ? [] : [`, ${u(adjustments)} given`]),
  ].join('')
}

const SORTS = [
  ...(['turnover', 'payouts', 'result', 'return'] as const),
  ...(['deposits', 'withdrawals', 'adjustments'] as const),
]

/** The rows of a report; by each column, forwards and backwards, a row on each page. */
async function rowsOf(db: TestDatabase['db'], ask: ReportRequest): Promise<ReportRow[]> {
  const pages = async (request: KeysetRequest) => {
    const rows: ReportRow[] = []
    let after: string | undefined
    do {
      const page = await reportPage(db, ask, { ...request, after, limit: 1 })
      if (isRefusal(page)) throw new Error(JSON.stringify(page))
      rows.push(...page.list)
      after = page.next ?? undefined
    } while (after !== undefined)
    return rows
  }
  const rows = await pages({ sort: 'key', order: 'asc' })
  for (const sort of SORTS) {
    const value = (row: ReportRow) => {
      if (sort !== 'return') return Number(row[sort])
      return row.turnover > 0n ? Number(row.payouts) / Number(row.turnover) : -1
    }
    const sorted = rows.toSorted((one, other) => value(one) - value(other))
    expect(await pages({ sort, order: 'asc' })).toEqual(sorted)
    expect(await pages({ sort, order: 'desc' })).toEqual(sorted.toReversed())
  }
  return rows
}

it('the reports have the settled bets of game days and the money of calendar days, without robots', async () => {
  const { bob } = await playTwoDays(database)
  const FIRST = { endDay: FIRST_DAY, until: SECOND_BEGINS }
  const SECOND = { beginDay: SECOND_DAY, from: SECOND_BEGINS }
  const reports: [ReportBy, Partial<ReportRequest>, string[]][] = [
    [
      'day',
      {},
      [
        '2026-11-20: 6 bets, 1900 staked, 1922 paid, 1826 expected ± 97.005155, 70 in, 160 out, -1 given',
        '2026-11-21: 1 bets, 300 staked, 576 paid, 288 expected ± 288, 1000 in, 0 out, 7 given',
      ],
    ],
    [
      'game',
      {},
      [
        'DOT: 6 bets, 1200 staked, 1538 paid, 1154 expected ± 303.898009',
        'BCH: 1 bets, 1000 staked, 960 paid, 960 expected ± 0',
      ],
    ],
    [
      'room',
      {},
      [
        'DOT Basic: 4 bets, 800 staked, 1152 paid, 768 expected ± 359.199109',
        'DOT Senior: 2 bets, 400 staked, 386 paid, 386 expected ± 272.943218',
        'BCH Basic: 1 bets, 1000 staked, 960 paid, 960 expected ± 0',
      ],
    ],
    [
      'player',
      {},
      [
        'ann: 5 bets, 1800 staked, 1728 paid, 1729 expected, 30 in, 160 out, 3 given',
        'bob: 2 bets, 400 staked, 770 paid, 385 expected, 1040 in, 0 out, 3 given',
      ],
    ],
    [
      'day',
      { robots: true },
      ['2026-11-20: 2 bets, 400 staked, 192 paid, 384 expected ± 303.578655'],
    ],
    ['day', { gameId: 2 }, ['2026-11-20: 1 bets, 1000 staked, 960 paid, 960 expected ± 0']],
    [
      'day',
      { roomId: 11 },
      [
        '2026-11-20: 3 bets, 500 staked, 576 paid, 480 expected ± 214.662526',
        '2026-11-21: 1 bets, 300 staked, 576 paid, 288 expected ± 288',
      ],
    ],
    [
      'player',
      { gameId: 1 },
      [
        'ann: 4 bets, 800 staked, 768 paid, 769 expected',
        'bob: 2 bets, 400 staked, 770 paid, 385 expected',
      ],
    ],
    [
      'day',
      { playerId: bob },
      [
        '2026-11-20: 2 bets, 400 staked, 770 paid, 385 expected, 40 in, 0 out, -4 given',
        '2026-11-21: 0 bets, 0 staked, 0 paid, 0 expected, 1000 in, 0 out, 7 given',
      ],
    ],
    ['game', { playerId: bob }, ['DOT: 2 bets, 400 staked, 770 paid, 385 expected']],
    [
      'game',
      FIRST,
      [
        'DOT: 5 bets, 900 staked, 962 paid, 866 expected ± 97.005155',
        'BCH: 1 bets, 1000 staked, 960 paid, 960 expected ± 0',
      ],
    ],
    [
      'player',
      SECOND,
      [
        'ann: 1 bets, 300 staked, 576 paid, 288 expected, 0 in, 0 out, 0 given',
        'bob: 0 bets, 0 staked, 0 paid, 0 expected, 1000 in, 0 out, 7 given',
      ],
    ],
  ]
  for (const [by, filter, expected] of reports) {
    const ask = askFor(by, filter)
    const about = JSON.stringify({ by, ...filter })
    const rows = await rowsOf(db, ask)
    expect(rows.map(inWords), about).toEqual(expected)
    expect(await countRows(db, ask), about).toBe(expected.length)
    // The whole is the sum of its parts.
    const sum = await reportSum(db, ask)
    for (const name of ['bets', 'turnover', 'payouts', 'result'] as const) {
      expect(sum?.[name], about).toBe(rows.reduce((total, row) => total + row[name], 0n))
    }
    // Given money belongs to no game or room.
    if (by === 'day' || by === 'player') {
      const given = rows.reduce((total, row) => total + (row.adjustments ?? 0n), 0n)
      expect(sum?.adjustments ?? 0n, about).toBe(given)
    }
  }
})

it('the expected payout is over all sums, from 0 to 27', async () => {
  await database.freezeClock(BEGIN)
  const ann = await addPlayer(database, { u: 10_000, name: 'ann' })
  // Both sums pay 96,000 u, each in one of 1,000 draws.
  const bets: Bet[] = [{ by: ann, room: 1, rules: [400, 427], u: 100 }]
  await finishedRound(database, { at: BEGIN, issue: '20261120001', bets, digits: LONG_DRAW })
  await countAllRounds(database.db)
  const variance = (2 * 96_000 ** 2) / 1000 - 192 ** 2
  expect(await roundFigures(database)).toEqual([
    `1, 20261120001, room 0, players: 1 bets, 200 staked, 0 paid, 192 expected, ${variance} variance`,
    `1, 20261120001, room 11, players: 1 bets, 200 staked, 0 paid, 192 expected, ${variance} variance`,
  ])
  expect((await rowsOf(database.db, askFor('player', { gameId: 1 }))).map(inWords)).toEqual([
    'ann: 1 bets, 200 staked, 0 paid, 192 expected',
  ])
})

it('players are new, active and dormant in the days, weeks and months in which they register, play, and have not played for 30 days', async () => {
  const noon = (day: string) => new Date(startOfDay(ZONE, day) + 12 * HOUR)
  await database.freezeClock(noon('2026-04-01').getTime())
  for (const [registered, plays, closed] of [
    // Dormant on 19 February and on 31 March.
    ['2026-01-05', ['2026-01-05', '2026-01-20', '2026-03-01'], null],
    // Plays again on the thirtieth day.
    ['2026-01-31', ['2026-01-31', '2026-03-02'], null],
    // Closed on the day on which he would be dormant, and on the day after it.
    ['2025-12-20', ['2026-01-06'], '2026-02-05'],
    ['2026-01-01', ['2026-01-07'], '2026-02-07'],
    // Played before the report begins.
    ['2025-11-01', ['2025-12-10'], null],
  ] as const) {
    const id = await addPlayer(database)
    await owner.query(
      `update accounts.player set created_at = $2, state = $3, closed_at = $4 where id = $1`,
      [id, noon(registered), closed ? 'closed' : 'active', closed && noon(closed)],
    )
    await owner.query('insert into bets.player_day select $1, unnest($2::date[]), 1, 0', [
      id,
      plays,
    ])
  }
  const robot = await addPlayer(database, { u: 0, robot: true })
  const january = noon('2026-01-10')
  await owner.query('update accounts.player set created_at = $2 where id = $1', [robot, january])
  for (const [by, beginDay, endDay, expected] of [
    [
      ...(['month', '2026-01-01', '2026-03-31'] as const),
      [
        '2026-01-01 to 2026-01-31: 3 new, 4 active, 1 dormant',
        '2026-02-01 to 2026-02-28: 0 new, 0 active, 2 dormant',
        '2026-03-01 to 2026-03-31: 0 new, 2 active, 1 dormant',
      ],
    ],
    [
      // Who played in January before its first day too is counted once.
      ...(['month', '2026-01-18', '2026-01-31'] as const),
      ['2026-01-18 to 2026-01-31: 1 new, 2 active, 0 dormant'],
    ],
    [
      // Its last week ends before the day on which one is dormant.
      ...(['week', '2026-02-05', '2026-02-18'] as const),
      [
        '2026-02-05 to 2026-02-08: 0 new, 0 active, 1 dormant',
        '2026-02-09 to 2026-02-15: 0 new, 0 active, 0 dormant',
        '2026-02-16 to 2026-02-18: 0 new, 0 active, 0 dormant',
      ],
    ],
    [
      ...(['day', '2026-01-04', '2026-01-06'] as const),
      [
        '2026-01-04 to 2026-01-04: 0 new, 0 active, 0 dormant',
        '2026-01-05 to 2026-01-05: 1 new, 1 active, 0 dormant',
        '2026-01-06 to 2026-01-06: 0 new, 1 active, 0 dormant',
      ],
    ],
  ] as const) {
    expect(await activityIn({ by, beginDay, endDay })).toEqual(expected)
  }
  // A bet can still come on the thirtieth day.
  await database.freezeClock(noon('2026-03-31').getTime())
  expect(await activityIn({ by: 'day', beginDay: '2026-03-31', endDay: '2026-03-31' })).toEqual([
    '2026-03-31 to 2026-03-31: 0 new, 0 active, 0 dormant',
  ])
})

async function activityIn(
  ask: Pick<ActivityRequest, 'by' | 'beginDay' | 'endDay'>,
): Promise<string[]> {
  const page = await activityPage(
    db,
    {
      ...ask,
      from: startOfDay(ZONE, ask.beginDay),
      until: startOfDay(ZONE, ask.endDay) + 24 * HOUR,
      zone: ZONE,
    },
    { limit: 100, order: 'asc' },
  )
  if (isRefusal(page)) throw new Error(JSON.stringify(page))
  return page.list.map(
    ({ firstDay, lastDay, newPlayers, active, turnedDormant }) =>
      `${firstDay} to ${lastDay}: ${newPlayers} new, ${active} active, ${turnedDormant} dormant`,
  )
}
