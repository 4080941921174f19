/**
 * Goal: the reports have the journal's numbers. Method: a random history of orders, draws, voids, deposits,
 * withdrawals and adjustments of players and robots over several days; then each report is recomputed from the
 * postings, one by one, by this file's own code. fast-check prints its seed.
 */
import { ACTIVITY_BY, type ReportBy } from '@sum28/contract/staff-reports-routes.ts'
import { SUMS, waysOfSum, winningRuleIds } from '@sum28/domain/outcomes.ts'
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refundRound, settleRound } from '#src/modules/bets/round-bets.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { countAllRounds } from './figures-store.ts'
import { reportCsv } from './report-routes.ts'
import {
  activityPage,
  countRows,
  type ReportFigures,
  type ReportRequest,
  type ReportRow,
  reportPage,
  reportSum,
} from './report-store.ts'

const U = 1_000_000n
const HOUR = 3_600_000
const ZONE = 'America/New_York'
/** Some days before the clocks change there. */
const BEGINNING = Date.UTC(2026, 9, 30, 3)
const DAYS = ['2026-10-29', '2026-11-12'] as const

const roundStep = fc.record({
  /** The time between two rounds: it spans the end of a day and the change of the clocks. */
  hours: fc.integer({ min: 1, max: 30 }),
  game: fc.integer({ min: 1, max: 4 }),
  end: fc.constantFrom('draw', 'draw', 'draw', 'void', 'open'),
  digits: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)),
  orders: fc.array(
    fc.record({
      who: fc.nat(5),
      room: fc.constantFrom(1, 2),
      rules: fc.constantFrom([1], [2, 4], [11, 413], [3, 400, 409]),
      u: fc.integer({ min: 200, max: 300 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  money: fc.array(
    fc.record({
      who: fc.nat(3),
      kind: fc.constantFrom(
        ...(['deposit', 'hold', 'release', 'return', 'withdrawal', 'rejected'] as const),
        ...(['unpaid', 'bonus', 'credit', 'debit'] as const),
      ),
      micro: fc.bigInt({ min: U, max: 900n * U }),
    }),
    { maxLength: 3 },
  ),
})
type RoundStep = typeof roundStep extends fc.Arbitrary<infer T> ? T : never

/** A day of some months, by its number, and as text. */
const FIRST = '2026-01-01'
const someDay = fc.integer({ min: 0, max: 600 }).map((days) => addDays(FIRST, days))

it('new, active and dormant players are those whom a count of each player and period finds', async () => {
  const person = fc.record({
    registered: someDay,
    plays: fc.uniqueArray(someDay, { maxLength: 8 }),
    closed: fc.option(someDay),
  })
  const asked = fc.record({
    by: fc.constantFrom(...ACTIVITY_BY),
    begin: someDay,
    days: fc.integer({ min: 1, max: 366 }),
  })
  const database = await createTestDatabase()
  const noon = (day: string) => new Date(startOfDay(ZONE, day) + 12 * HOUR)
  const ids: number[] = []
  for (let at = 0; at < 12; at++) ids.push(await addPlayer(database))
  await addPlayer(database, { u: 0, robot: true })
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: ids.length, maxLength: ids.length }),
      fc.array(asked, { minLength: 4, maxLength: 4 }),
      async (people, requests) => {
        await database.owner.query('delete from bets.player_day')
        for (const [at, { registered, plays, closed }] of people.entries()) {
          await database.owner.query(
            `update accounts.player set created_at = $2, state = $3, closed_at = $4 where id = $1`,
            [ids[at], noon(registered), closed ? 'closed' : 'active', closed && noon(closed)],
          )
          await database.owner.query(
            `insert into bets.player_day select $1, unnest($2::date[]), 1, 0`,
            [ids[at], plays],
          )
        }
        for (const { by, begin, days } of requests) {
          const end = addDays(begin, days - 1)
          const [from, until] = [startOfDay(ZONE, begin), startOfDay(ZONE, addDays(end, 1))]
          const ask = { by, beginDay: begin, endDay: end, from, until, zone: ZONE }
          const page = await activityPage(database.db, ask, { limit: 100, order: 'asc' })
          if (isRefusal(page)) return expect.fail(JSON.stringify(page))
          expect(page.list.map(({ id: _, ...row }) => row)).toEqual(
            countedActivity({ by, begin, days }, people).slice(0, 100),
          )
        }
      },
    ),
    { numRuns: 15 },
  )
})

type Person = { registered: string; plays: readonly string[]; closed: string | null }

/** The same report, by asking for each player of each period. */
function countedActivity(
  { by, begin, days }: { by: (typeof ACTIVITY_BY)[number]; begin: string; days: number },
  people: readonly Person[],
) {
  const keyOf = (day: string) => {
    if (by === 'day') return day
    if (by === 'month') return day.slice(0, 7)
    const sinceMonday = (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7
    return addDays(day, -sinceMonday)
  }
  const all = Array.from({ length: days }, (_, at) => addDays(begin, at))
  return [...new Set(all.map(keyOf))].map((key) => {
    const own = all.filter((day) => keyOf(day) === key)
    const lapses = ({ plays, closed }: Person) =>
      plays.filter((day) => {
        const dormantOn = addDays(day, 30)
        const playsAgain = plays.some((other) => other > day && other <= dormantOn)
        return own.includes(dormantOn) && !playsAgain && (closed === null || closed > dormantOn)
      }).length
    return {
      ...{ firstDay: own[0], lastDay: own.at(-1) },
      newPlayers: people.filter(({ registered }) => own.includes(registered)).length,
      active: people.filter(({ plays }) => plays.some((day) => own.includes(day))).length,
      turnedDormant: people.reduce((sum, person) => sum + lapses(person), 0),
    }
  })
}

it('each report equals the sums of the journal’s postings, without robots', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(roundStep, { minLength: 8, maxLength: 8, size: 'max' }),
      async (steps) => {
        const database = await createTestDatabase()
        await database.freezeClock(BEGINNING)
        // Some orders could pay more in one round than a player may win.
        await database.owner.query('update games.house set payout_max = 10 * payout_max')
        const people: number[] = []
        for (let at = 0; at < 4; at++) people.push(await addPlayer(database, { u: 20_000 }))
        const robots: number[] = []
        for (let at = 0; at < 2; at++)
          robots.push(await addPlayer(database, { u: 20_000, robot: true }))
        let now = BEGINNING
        for (const [at, step] of steps.entries()) {
          now += step.hours * HOUR
          await perform(database, { step, at, now, people, robots })
        }
        await countAllRounds(database.db, { atOnce: 1 })
        await compareAll(database, { people, robots })
      },
    ),
    { numRuns: 5, endOnFailure: true },
  )
})

async function perform(
  database: TestDatabase,
  {
    step,
    at,
    now,
    people,
    robots,
  }: { step: RoundStep; at: number; now: number; people: number[]; robots: number[] },
): Promise<void> {
  await database.freezeClock(now)
  const gameDay = dayOf(ZONE, now)
  for (const [index, { who, kind, micro }] of step.money.entries()) {
    const moves = {
      deposit: ['deposit'],
      hold: ['deposit_held'],
      release: ['deposit_held', 'deposit_released'],
      return: ['deposit_held', 'deposit_refunded'],
      withdrawal: ['withdrawal', 'withdrawal_paid'],
      rejected: ['withdrawal', 'withdrawal_released'],
      unpaid: ['withdrawal', 'withdrawal_paid', 'withdrawal_reversed'],
      bonus: ['bonus'],
      credit: ['adjustment_credit'],
      debit: ['adjustment_debit'],
    }[kind]
    for (const move of moves) {
      await database.owner.query(
        `select wallet.move('${move}', array[row($1, $2, $3, $4)::wallet.movement])`,
        [
          people[who],
          // A withdrawal is booked on the day of its request, and counts on the day of its approval.
          kind === 'withdrawal' ? '2026-10-29' : gameDay,
          kind === 'debit' ? micro / 20n : micro,
          `test:${at}:${index}`,
        ],
      )
    }
  }
  const all = [...people, ...robots]
  const round = await openTestRound(database, { gameId: step.game, gameDay })
  // A batch has one order of a player.
  for (const { who, room, rules, u } of step.orders) {
    const order = orderFor(all[who] ?? 0, round, { ruleIds: [...rules], u, room: room as 1 | 2 })
    expect(await placeAll(database, [order])).toEqual([null])
  }
  if (step.end === 'draw') {
    await drawTestRound(database, round, step.digits)
    await settleRound(database.db, round, gameDay)
  } else if (step.end === 'void') {
    await database.freezeClock(round.drawsAt)
    await database.db.query(`select rounds.void($1::smallint, $2, 'sealed_late')`, [
      round.gameId,
      round.issue,
    ])
    await refundRound(database.db, round)
  }
}

type Posting = {
  holder: number
  kind: string
  amount: bigint
  reference: string
  day: string
  at: number
}
type Bet = {
  id: bigint
  player: number
  game: number
  room: number
  issue: bigint
  day: string
  stake: bigint
  rules: number[]
  odds: number[]
  state: string
}

async function compareAll(
  { db, owner }: TestDatabase,
  { people, robots }: { people: number[]; robots: number[] },
): Promise<void> {
  const postings = await owner.query<Posting>(
    `select holder_id as holder, kind, amount, reference, booked_on::text as day, posted_at as at
     from ledger.posting`,
  )
  const bets = await owner.query<Bet>(
    `select id, player_id as player, bet.game_id::integer as game, room_id as room, issue, game_day::text as day,
       stake, rule_ids::integer[] as rules, odds_milli as odds, state
     from bets.bet join rounds.round using (game_id, issue)`,
  )
  const filters: Partial<ReportRequest>[] = [
    {},
    { gameId: 2 },
    { roomId: 11 },
    { playerId: people[0] ?? 0 },
    { robots: true },
    { beginDay: '2026-11-01', endDay: '2026-11-02' },
  ]
  for (const [place, filter] of filters.entries()) {
    // A filter by game leaves the columns of money empty.
    const sorts = place < 2 ? SORTS : (['key', 'result'] as const)
    for (const by of ['day', 'game', 'room', 'player'] as const) {
      const ask = askFor(by, filter)
      const expected = recompute(ask, { postings, bets, robots })
      const rows = await allPages(db, ask, sorts)
      const about = JSON.stringify({ by, ...filter })
      expect(figuresById(rows), about).toEqual(expected)
      expect(await countRows(db, ask), about).toBe(expected.size)
      await compareDeviations(db, ask, rows)
      // The whole is the sum of its parts.
      const sum = await reportSum(db, ask)
      for (const name of ['bets', 'turnover', 'payouts', 'result', 'adjustments'] as const) {
        // Games and rooms have no adjustments, also where the report has no row.
        if (name === 'adjustments' && (by === 'game' || by === 'room')) continue
        const parts = rows.reduce((total, row) => total + (row[name] ?? 0n), 0n)
        expect(sum?.[name] ?? 0n, about).toBe(parts)
      }
      const csv = parseCsv(await wholeCsv(db, ask))
      expect(csv.length - 1, about).toBe(rows.length)
      const position = csv[0]?.indexOf('turnover') ?? -1
      expect(
        csv
          .slice(1)
          .map((cells) => Math.round(Number(cells[position]) * 100))
          .sort(),
        about,
      ).toEqual(rows.map(({ turnover }) => Number(turnover / 10_000n)).sort())
    }
  }
}

/** The rounds of a day, a game or a room are drawn independently: their variances add up. */
async function compareDeviations(
  db: TestDatabase['db'],
  ask: ReportRequest,
  rows: readonly ReportRow[],
): Promise<void> {
  for (const { id, deviation } of rows) {
    if (ask.by === 'player' || ask.playerId !== null) {
      expect(deviation).toBeNull()
      continue
    }
    const ofRooms = ask.by === 'room' || ask.roomId !== null
    const key = { day: `game_day - date '1970-01-01'`, game: 'game_id', room: 'room_id' }[ask.by]
    const expected = await db.value<bigint>(
      `select round(sqrt(coalesce(sum(variance), 0)))::bigint as deviation from console_start.round_figure
       where ${key} = $1 and (room_id > 0) = $2 and robots = $3 and game_day between $4 and $5
         and ($6::integer is null or game_id = $6) and ($7::integer is null or room_id = $7)`,
      [id, ofRooms, ask.robots, ask.beginDay, ask.endDay, ask.gameId, ask.roomId],
    )
    expect(deviation).toBe(expected)
  }
}

function askFor(by: ReportBy, filter: Partial<ReportRequest>): ReportRequest {
  const [beginDay, endDay] = DAYS
  const ask = {
    ...{
      by,
      robots: false,
      beginDay,
      endDay,
      zone: ZONE,
      gameId: null,
      roomId: null,
      playerId: null,
    },
    ...filter,
  }
  const from = startOfDay(ZONE, ask.beginDay)
  // The day after the last.
  const until = startOfDay(ZONE, dayOf(ZONE, startOfDay(ZONE, ask.endDay) + 30 * HOUR))
  return { ...ask, from, until }
}

type ExpectedFigures = Pick<
  ReportFigures,
  'bets' | 'turnover' | 'payouts' | 'expected' | 'deposits' | 'withdrawals' | 'adjustments'
>

/** The report computed by this file: a bet counts once its round is settled, by its stake and its payout. */
function recompute(
  ask: ReportRequest,
  { postings, bets, robots }: { postings: Posting[]; bets: Bet[]; robots: number[] },
): Map<number, ExpectedFigures> {
  const report = new Map<number, ExpectedFigures & { exact: bigint }>()
  const money = ask.gameId === null && ask.roomId === null && !ask.robots
  const moneyHere = money && (ask.by === 'day' || ask.by === 'player')
  function row(key: number) {
    const figures = report.get(key) ?? {
      ...{ bets: 0n, turnover: 0n, payouts: 0n, expected: 0n, exact: 0n },
      deposits: moneyHere ? 0n : null,
      withdrawals: moneyHere ? 0n : null,
      adjustments: moneyHere ? 0n : null,
    }
    report.set(key, figures)
    return figures
  }
  const betOf = new Map(bets.map((bet) => [`bet:${bet.id}`, bet]))
  for (const { holder, kind, amount, reference, at } of postings) {
    if (ask.playerId !== null && holder !== ask.playerId) continue
    if (robots.includes(holder) !== ask.robots) continue
    const bet = betOf.get(reference)
    if (bet) {
      if (bet.state !== 'settled' || bet.day < ask.beginDay || bet.day > ask.endDay) continue
      if (ask.gameId !== null && bet.game !== ask.gameId) continue
      if (ask.roomId !== null && bet.room !== ask.roomId) continue
      const keys = { day: dayNumber(bet.day), game: bet.game, room: bet.room, player: holder }
      const figures = row(keys[ask.by])
      if (kind === 'payout') figures.payouts += amount
      if (kind !== 'stake') continue
      figures.bets += 1n
      figures.turnover += amount
      figures.exact += overAllDraws(bet)
    } else if (moneyHere && at >= ask.from && at < ask.until) {
      const day = dayNumber(dayOf(ZONE, at))
      const [sign, which] =
        {
          deposit: [1n, 'deposits'] as const,
          deposit_held: [1n, 'deposits'] as const,
          deposit_refunded: [-1n, 'deposits'] as const,
          withdrawal_paid: [1n, 'withdrawals'] as const,
          withdrawal_reversed: [-1n, 'withdrawals'] as const,
          bonus: [1n, 'adjustments'] as const,
          adjustment_credit: [1n, 'adjustments'] as const,
          adjustment_debit: [-1n, 'adjustments'] as const,
        }[kind] ?? []
      if (sign === undefined) continue
      const figures = row(ask.by === 'day' ? day : holder)
      figures[which] = (figures[which] ?? 0n) + sign * amount
    }
  }
  return new Map(
    [...report].map(([key, { exact, ...figures }]) => [
      key,
      { ...figures, expected: (exact + 500_000n) / 1_000_000n },
    ]),
  )
}

/** What a bet would pay over all 1,000 draws together, in thousandths of a micro-unit. */
function overAllDraws({ rules, odds, stake }: Bet): bigint {
  return SUMS.reduce((sum, each) => {
    const winning = winningRuleIds(each)
    const pays = rules.reduce(
      (total, rule, at) => (winning.includes(rule) ? total + BigInt(odds[at] ?? 0) : total),
      0n,
    )
    return sum + BigInt(waysOfSum(each)) * pays * stake
  }, 0n)
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / (24 * HOUR)
}

function figuresById(rows: readonly ReportRow[]): Map<number, ExpectedFigures> {
  return new Map(
    rows.map(({ id, bets, turnover, payouts, expected, deposits, withdrawals, adjustments }) => [
      Number(id),
      { bets, turnover, payouts, expected, deposits, withdrawals, adjustments },
    ]),
  )
}

const SORTS = [
  ...(['key', 'turnover', 'payouts', 'result'] as const),
  ...(['return', 'deposits', 'withdrawals', 'adjustments'] as const),
]

/** Every page, by each order, with three rows on a page: all of them must have the same rows, in their order. */
async function allPages(
  db: TestDatabase['db'],
  ask: ReportRequest,
  sorts: readonly (typeof SORTS)[number][],
): Promise<ReportRow[]> {
  let allRows: ReportRow[] = []
  for (const sort of sorts) {
    for (const order of ['asc', 'desc'] as const) {
      const rows: ReportRow[] = []
      let after: string | undefined
      do {
        const page = await reportPage(db, ask, { sort, order, after, limit: 3 })
        if (isRefusal(page)) throw new Error(JSON.stringify(page))
        rows.push(...page.list)
        after = page.next ?? undefined
      } while (after !== undefined)
      if (allRows.length > 0) expect(rows.length).toBe(allRows.length)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
      if (sort === 'turnover' || sort === 'result') {
        const values = rows.map((row) => row[sort])
        const sorted = values.toSorted((one, other) => Number(one - other))
        expect(values).toEqual(order === 'asc' ? sorted : sorted.reverse())
      }
      allRows = rows
    }
  }
  return allRows
}

async function wholeCsv(db: TestDatabase['db'], ask: ReportRequest): Promise<string> {
  let text = ''
  for await (const piece of reportCsv(db, ask, {})) text += piece
  return text.replace('\uFEFF', '')
}
