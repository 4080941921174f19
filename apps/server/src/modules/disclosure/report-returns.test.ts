/** Returns of finished game days against theory: what is compared, by how much, and when staff are told. */
import { returns } from '@sum28/contract/fairness-routes.ts'
import { RETURN_DAYS } from '@sum28/contract/shared-times.ts'
import { RULES } from '@sum28/domain/outcomes.ts'
import type { LoggedRound } from '@sum28/fairness/monitor/log-facts.ts'
import { moneyFacts } from '@sum28/fairness/monitor/money-facts.ts'
import { describe, expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { serveForTest } from '#testing/product/served-routes.ts'
import { settleRound } from '../bets/round-bets.ts'
import { reportReturns, returnsReader } from './disclosure-store.ts'
import { disclosureModule } from './module.ts'

const { database, db, owner } = eachTestDatabase()

const DAY = '2026-11-18'
const schedule = {
  timeZone: 'Asia/Singapore',
  opensMinute: 600,
  closesMinute: 1_560,
  roundMs: 210_000,
  sealMs: 30_000,
}
const NEXT_DAY = Date.UTC(2026, 10, 19, 4)
const DAY_MS = 86_400_000

function report(now = NEXT_DAY): Promise<string[]> {
  return reportReturns({ db, schedule, now: () => now })
}

/** Plays a round of the day, and settles it. */
async function play(
  bets: readonly { player: number; ruleIds: number[]; u: number }[],
  digits: [number, number, number],
) {
  const round = await openTestRound(database, { gameDay: DAY })
  const orders = bets.map(({ player, ruleIds, u }) => orderFor(player, round, { ruleIds, u }))
  await placeAccepted(database, orders)
  await drawTestRound(database, round, digits)
  await settleRound(database.db, round, DAY)
}

/** A game day on which a stake of 100 was paid 192 in so many of its rounds. */
async function writeDay({
  rounds,
  wins,
  rule = 1,
  day = DAY,
}: {
  rounds: number
  wins: number
  rule?: number
  day?: string
}): Promise<void> {
  await owner.query('insert into rounds.day values (1, $1, $2) on conflict do nothing', [
    day,
    rounds,
  ])
  await owner.query(
    `insert into disclosure.return_day
     values ($1, 1, $2, $3::integer, $4::integer, $3 * 100e6, $4 * 192e6, $3 * 96e6, $3 * 96e6 ^ 2, 192e6)`,
    [day, rule, rounds, wins],
  )
}

describe('a report of returns', () => {
  it('compares what was paid with odds and chance, exactly, for people alone, and says so in the public log', async () => {
    const [one, other] = [await addPlayer(database), await addPlayer(database)]
    const robot = await addPlayer(database, { robot: true })
    const bets = [
      { player: one, ruleIds: [1, 3], u: 200 },
      { player: other, ruleIds: [1], u: 300 },
      { player: robot, ruleIds: [1], u: 500 },
    ]
    await play(bets, [7, 8, 0])
    await play([{ player: one, ruleIds: [1], u: 100 }], [1, 1, 0])
    expect(await report()).toEqual([DAY])

    expect(await report()).toEqual([])
    const texts = await owner.column<string>(
      `select text from public_log.entry where subject like 'returns %'`,
    )
    // Each outcome stands in the public log, once.
    expect(texts.join()).toMatch(
      /^sum28\/1 returns\nday=2026-11-18\ntests=6\nunlikely=0\nreturns=1:1:2:1:\d+(?::\d+){4},1:3:1:\d:\d+(?::\d+){4}\n$/,
    )
    const paid = await owner.query<{ staked: bigint; paid: bigint }>(
      `select sum(total)::bigint as staked, sum(payout)::bigint as paid from bets.bet where player_id <> $1`,
      [robot],
    )
    const { list, ...rest } = await returnsReader(db)({ gameId: 1, days: 1 })
    const sum = (of: 'turnover' | 'payouts') => list.reduce((all, row) => all + row[of], 0n)
    expect({ staked: sum('turnover'), paid: sum('payouts') }).toEqual(paid[0])
    // Two outcomes over three periods.
    expect(rest).toEqual({ day: DAY, tests: 6, unlikely: 0 })
    const [long] = list
    expect(long).toMatchObject({ ruleId: 1, rounds: 2, wins: 1, chance: 1 })
    // Of 500 and 100 u on half of all draws, at odds of 1.92.
    expect(Number(long?.expected)).toBeCloseTo(((500 + 100) * 1.92e6) / 2, 0)
    expect(Number(long?.deviation)).toBeCloseTo(Math.hypot(500, 100) * 1.92 * 0.5e6, 0)
  })

  it('has the comparisons and the unlikely ones that a monitor computes from the log', async () => {
    const days = ['2026-10-16', '2026-11-17', DAY]
    const money = moneyFacts()
    for (const [at, day] of days.entries()) {
      for (const rule of [1, 3]) await writeDay({ rounds: 200, wins: 100 + 50 * at, rule, day })
      expect(await report()).toEqual([day])
      const text = await owner.value<string>(
        'select text from public_log.entry where subject = $1',
        [`returns ${day}`],
      )
      const lines = text.trimEnd().split('\n').slice(1)
      const fields = Object.fromEntries(lines.map((line) => line.split('=')))
      // As many draws of both outcomes as the day had wins.
      const played = Array.from({ length: 200 }, (_, n) => ({
        game: 1,
        draw: { digits: n < 100 + 50 * at ? '9,8,0' : '0,0,0' },
        announcement: { rules: '11:1' },
      }))
      const shown = { text, index: at, at: Date.now(), notAt: null }
      const take = (said: typeof fields, of = money) =>
        of.kinds.returns?.(
          said,
          shown,
          new Map([[day, played as unknown as LoggedRound[]]]),
          new Map([
            ['11:1', { game: '1', odds: new Map([1, 3].map((each) => [String(each), '1920'])) }],
          ]),
        )
      // A variance so large that no deviation would ever be unlikely, and an unlikely one that is not said.
      const wide = fields.returns?.replace(/:([0-9]+):([0-9]+)(,|$)/, ':$1000000:$2$3')
      expect(() => take({ ...fields, returns: wide ?? '' }, moneyFacts())).toThrow('variance of')
      take(fields)
      if (at < 2) continue
      expect(() => take({ ...fields, unlikely: '9' }, moneyFacts())).toThrow('call 9 deviations')
    }
    const { tests, unlikely } = await returnsReader(db)({ gameId: 1, days: 1 })
    expect({ tests, unlikely }).toEqual({ tests: 6, unlikely: 6 })
    const { routes } = disclosureModule({
      db,
      timeZone: schedule.timeZone,
      now: Date.now,
      config: null as never,
      readOwedLog: null as never,
    })
    const api = await serveForTest(routes)
    const shown = await Promise.all(
      RETURN_DAYS.map(async (days) => {
        const { data } = await api.call(returns, { game_id: 1, days })
        return { game: 1, days, reply: data }
      }),
    )
    expect(money.compareReturns(shown, NEXT_DAY)).toEqual([])
  })

  it('waits for the day’s end and for its last settled round', async () => {
    const player = await addPlayer(database)
    await play([{ player, ruleIds: [1], u: 200 }], [7, 8, 0])
    expect(await report(Date.UTC(2026, 10, 18, 15))).toEqual([])
    // After midnight, before the next day's first round.
    expect(await report(Date.UTC(2026, 10, 18, 20))).toEqual([])
    await openTestRound(database, { gameDay: DAY })
    expect(await report()).toEqual([])
    const none = { day: null, tests: 0, unlikely: 0, list: [] }
    expect(await returnsReader(db)({ gameId: 1, days: 1 })).toEqual(none)
  })

  it('has no alarm for luck: a rare outcome that won in its only round', async () => {
    const player = await addPlayer(database)
    await play([{ player, ruleIds: [400], u: 200 }], [0, 0, 0])
    await report()
    const { list } = await returnsReader(db)({ gameId: 1, days: 1 })
    // It pays 960 times the stake, at one chance of a thousand: 31 standard deviations.
    expect(list).toMatchObject([{ ruleId: 400, wins: 1, chance: 1 }])
    expect(await readNeeds(db, ['returns_unlikely'])).toEqual([])
  })

  it('tells staff of a deviation of a month when it begins, and not for as long as the month has it', async () => {
    await database.freezeClock(NEXT_DAY)
    await writeDay({ rounds: 200, wins: 200 })
    await report()
    expect(await readNeeds(db, ['returns_unlikely'])).toHaveLength(1)
    await database.freezeClock(NEXT_DAY + 8 * DAY_MS)
    await writeDay({ rounds: 2, wins: 1, day: '2026-11-19' })
    await report(NEXT_DAY + DAY_MS)
    const { day, unlikely } = await returnsReader(db)({ gameId: 1, days: 30 })
    expect({ day, unlikely }).toEqual({ day: '2026-11-19', unlikely: 2 })
    expect(await readNeeds(db, ['returns_unlikely'])).toEqual([])
  })

  it.each([
    ['too much', 200, 200, 1],
    ['nothing', 200, 0, 1],
    ['what theory says', 200, 100, 0],
  ])('that paid %s in %i even rounds tells staff, or not', async (_, rounds, wins, alarms) => {
    await writeDay({ rounds, wins })
    await report()
    expect(await readNeeds(db, ['returns_unlikely'])).toHaveLength(alarms)
    const [row] = (await returnsReader(db)({ gameId: 1, days: 1 })).list
    expect((row?.chance ?? 1) < 0.001).toBe(alarms === 1)
  })

  it('is read once a day, whoever asks for which game and period', async () => {
    await writeDay({ rounds: 10, wins: 5 })
    await report()
    let reads = 0
    const read = returnsReader({
      ...db,
      first: (...statement) => db.first(...statement),
      query: (...statement) => {
        reads += 1
        return db.query(...statement)
      },
    })
    const all = [1, 2, 3, 4].flatMap((gameId) => [1, 30, 365].map((days) => ({ gameId, days })))
    const found = await Promise.all([...all, ...all].map(read))
    expect(found.filter(({ list }) => list.length > 0)).toHaveLength(6)
    expect(reads).toBe(1)
    await writeDay({ rounds: 10, wins: 5, day: '2026-11-19' })
    await report(NEXT_DAY + 86_400_000)
    expect(await read({ gameId: 1, days: 1 })).toMatchObject({ day: '2026-11-19' })
    expect(reads).toBe(2)
  })

  it('takes its number of tests into account: what is rare in one is not in a thousand', async () => {
    const chanceOf = async (rules: number[]) => {
      const { list } = await returnsReader(db)({ gameId: 1, days: 1 })
      expect(list.map(({ ruleId }) => ruleId)).toEqual(rules)
      return list[0]?.chance ?? 0
    }
    await writeDay({ rounds: 200, wins: 132, day: '2026-11-17' })
    await report(NEXT_DAY - 86_400_000)
    const alone = await chanceOf([1])
    const others = RULES.map(({ id }) => id).filter((id) => id !== 1 && id < 20)
    for (const rule of [1, ...others]) {
      await writeDay({ rounds: 200, wins: rule === 1 ? 132 : 100, rule })
    }
    await report()
    // One rule over three periods before, seven and one after.
    expect((await chanceOf([1, ...others])) / alone).toBeCloseTo(1 + others.length, 5)
  })
})
