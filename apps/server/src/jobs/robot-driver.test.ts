/** The house's robots (G14): labelled, betting like people, and part of no figure. */
import { config as configRoute, home } from '@sum28/contract/index-routes.ts'
import { heart, lobby } from '@sum28/contract/lottery-routes.ts'
import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import * as wire from '@sum28/contract/staff-house-routes.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { betPlacer } from '#src/modules/bets/place-bet.ts'
import { catalogReader } from '#src/modules/games/catalog.ts'
import { allRobots, setRobots } from '#src/modules/robots/robot-store.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { moveMoney } from '#testing/database/fixtures.ts'
import type { TestDatabase } from '#testing/database/test-database.ts'
import { seededRandom } from '#testing/models/seeded-random.ts'
import { addSeatedPlayer } from '#testing/people/seated-player.ts'
import { addStaff, staffSession, staffToken } from '#testing/people/staff.ts'
import { driveByHand, OPENING } from '#testing/product/driven-game.ts'
import { betOrder, playRound, SCHEDULE } from '#testing/product/play-round.ts'
import { faultsOf, shareTestApp, useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'
import { type RobotDeps, robotChecks } from './robot-driver.ts'

type RobotBet = {
  playerId: number
  roomId: number
  issue: string
  total: bigint
  acceptedAt: number
  rules: number
}

function robotBets({ owner }: TestDatabase): Promise<RobotBet[]> {
  return owner.query<RobotBet>(
    `select player_id as "playerId", room_id as "roomId", issue::text, total, accepted_at as "acceptedAt",
       cardinality(rule_ids) as rules
     from bets.bet join accounts.player on player.id = player_id and kind = 'robot' order by bet.id`,
  )
}

/** One game driven by hand with its robots, on a clock that the test sets. */
async function robotsByHand({ seats = { 11: 3 } as Record<number, number> } = {}) {
  const game = await driveByHand()
  const { database } = game
  let moment = OPENING
  const session = await staffToken(database)
  for (const [roomId, robots] of Object.entries(seats)) {
    await setRobots(database.db, { roomId: Number(roomId), robots, session })
  }
  const catalog = catalogReader(database.db)
  const deps: RobotDeps = {
    db: database.db,
    catalog,
    placeBet: betPlacer({ db: database.jobs, by: 'bets.place_of_robots', onAccepted: () => {} }),
    schedule: SCHEDULE,
    now: () => moment,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    leads: async () => true,
    random: seededRandom('robots'),
  }
  return {
    database,
    deps,
    checks: () => robotChecks(deps),
    /** Sets the clock, drives the rounds, then the robots. */
    async at(seconds: number, ...drivers: (() => Promise<number>)[]) {
      moment = OPENING + seconds * 1_000
      await game.driveAt(seconds)
      await Promise.all(drivers.map((check) => check()))
    },
  }
}

/** The seconds of a round, ten by ten. */
const SECONDS = Array.from({ length: 21 }, (_, index) => index * 10)

describe('robots on a clock moved by hand', () => {
  it('bet in every part of the betting time and only then, within the limits, on house money', async () => {
    const { database, checks, at } = await robotsByHand({ seats: { 11: 12, 14: 4 } })
    const check = checks()
    for (const second of SECONDS) await at(second, check)
    const bets = await robotBets(database)
    expect(bets.length).toBeGreaterThan(6)
    expect(new Set(bets.map(({ playerId }) => playerId)).size).toBeGreaterThan(4)
    for (const { acceptedAt, roomId, total } of bets) {
      expect(acceptedAt - OPENING).toBeLessThan(180_000)
      expect(total).toBeGreaterThanOrEqual(roomId === 11 ? 100_000_000n : 1_000_000_000n)
    }
    const thirds = bets.map(({ acceptedAt }) => Math.floor((acceptedAt - OPENING) / 60_000))
    expect(new Set(thirds).size).toBe(3)
    expect(await allRobots(database.db)).toHaveLength(16)
    await expectAlwaysTrue(database.owner)
  })

  it('never bet if another process leads, outside opening hours, or where betting is stopped; are fewer at once, and more from the next round', async () => {
    const { database, deps, checks, at } = await robotsByHand({ seats: { 11: 12, 12: 12 } })
    const { owner } = database
    const check = checks()
    const passing = async (seconds: number[], driver = check) => {
      for (const second of seconds) await at(second, driver)
      const bets = await robotBets(database)
      return [11, 12].map((room) => bets.filter(({ roomId }) => roomId === room).length)
    }
    await at(-3_600, check)
    const led = robotChecks({ ...deps, leads: async () => false })
    expect(await passing([0, 60, 120], led)).toEqual([0, 0])
    const [before = 0] = await passing([0, 60])
    expect(before).toBeGreaterThan(0)

    await owner.query('update games.room set stopped = true where id = 11')
    const [stopped, elsewhere = 0] = await passing([90, 120])
    expect(stopped).toBe(before)
    expect(elsewhere).toBeGreaterThan(0)

    await owner.query('update games.house set stopped = true')
    expect(await passing([150, 179])).toEqual([before, elsewhere])

    await owner.query(
      'update games.house set stopped = false; update games.room set stopped = false',
    )
    expect(await passing([185, 212])).toEqual([before, elsewhere])
    const session = await staffToken(database)
    const set = (robots: number) => setRobots(database.db, { roomId: 11, robots, session })
    // In the middle of a round, whose bets are planned.
    await set(0)
    const [reduced, others] = await passing([300, 385])
    expect(reduced).toBe(before)
    expect(others).toBeGreaterThan(elsewhere)
    await at(422, check)
    await set(12)
    expect((await passing([510, 595]))[0]).toBe(before)
    expect((await passing([632, 720, 805]))[0]).toBeGreaterThan(before)
    await expectAlwaysTrue(owner)
  })

  it('bet once although two drivers both believe that they lead', async () => {
    const { database, checks, at } = await robotsByHand({ seats: { 11: 10 } })
    const [one, other] = [checks(), checks()]
    for (const second of SECONDS) await at(second, one, other)
    const perRobot = Map.groupBy(await robotBets(database), ({ playerId }) => playerId)
    expect(perRobot.size).toBeLessThanOrEqual(10)
    for (const bets of perRobot.values()) expect(bets.length).toBeLessThanOrEqual(2)
    const fundedTwice = `select from ledger.posting where kind = 'robot_funding'
      group by holder_id having count(*) > 1`
    expect(await database.owner.query(fundedTwice)).toEqual([])
  })

  it('return money that they do not need on the next game day, and all of it if they stop betting', async () => {
    const { database, checks, at } = await robotsByHand({ seats: { 11: 2 } })
    const { owner, db } = database
    const check = checks()
    await at(0, check)
    const [winner, retired] = await allRobots(db)
    if (!winner || !retired) throw new Error('no robots')
    const payout = { playerId: winner.playerId, micro: 50_000_000_000n, reference: 'bet:0' }
    await moveMoney(owner, 'payout', payout)
    await setRobots(db, { roomId: 11, robots: 1, session: await staffToken({ owner }) })
    await at(86_400, check)
    const cash = (id: number) =>
      owner.value<bigint>('select cash from ledger.balance where holder_id = $1', [id])
    expect(await cash(retired.playerId)).toBe(0n)
    expect(await cash(winner.playerId)).toBe(4_800_000_000n)
    const swept = `select destination from ledger.posting where kind = 'robot_sweep'`
    expect(await owner.column(swept)).toEqual(['house:robots', 'house:robots'])
  })
})

describe('robots in the product', () => {
  const test = shareTestApp({ ROBOTS: 'on' })
  const withoutRobots = useWorkersApp()

  it('are labelled in the feed, and not part of any figure: winners, profits, days, totals', async () => {
    const { owner, db } = test.database
    const person = await addSeatedPlayer(test.database)
    const { data } = await test.call(configRoute, {})
    expect(data.features.robots).toBe(true)
    const { gameList } = (await test.call(lobby, { game_id: 1 })).data
    expect(gameList[0]?.planList.map(({ robot_num }) => robot_num)).toEqual([6, 4, 3, 2])

    const bets = async () => (await owner.query('select from bets.bet')).length
    /** Robots bet at times of their own. */
    const letThemBet = async () => {
      const before = await bets()
      await test.database.shiftClock(30_000)
      await eventually(async () => (await bets()) > before)
    }
    await playRound(test, async (issue) => {
      await letThemBet()
      // Of long and short one wins, whatever is drawn.
      const [one, other] = (await allRobots(db)).filter(({ roomId }) => roomId === 11)
      const place = betPlacer({ db, onAccepted: () => {} })
      for (const [robot, rule] of [[one, 1] as const, [other, 2] as const]) {
        const order = betOrder(robot?.playerId ?? 0, { gameId: 1, issue }, { ruleIds: [rule] })
        expect(isRefusal(await place(order))).toBe(false)
      }
    })
    const won = await owner.query(`select from bets.bet where status = 'won' and payout > total`)
    expect(won.length).toBeGreaterThan(0)
    await letThemBet()
    const message = await eventually(async () => {
      const beat = await test.call(heart, { plan_id: 11, game_id: 1 }, person)
      return beat.data.message.length > 0 ? beat.data.message : undefined
    })
    const labelled = message.filter(({ robot, after_quantity }) => robot && after_quantity === null)
    expect(labelled).toEqual(message)
    expect((await test.call(home, {})).data.winners).toEqual([])
    for (const table of ['bets.player_day', 'bets.winner']) {
      expect(await owner.query(`select * from ${table}`)).toEqual([])
    }
    expect(await allRobots(db)).toHaveLength(60)
    await expectAlwaysTrue(owner)
  })

  it('are switched off and on and numbered by the owner, which is audited', async () => {
    const owner = await staffSession(test)
    const { data: begun } = await test.call(wire.robots, {}, owner)
    expect(begun).toMatchObject({ on: true, rooms: expect.arrayContaining([]) })
    expect(begun.rooms).toHaveLength(16)
    expect(begun.rooms[0]).toEqual({ id: 11, game_id: 1, title: 'Basic', type: 0, robots: 6 })
    const { data: off } = await test.call(wire.setRobots, { plan_id: 11, robots: 0 }, owner)
    expect(off.rooms[0]).toMatchObject({ id: 11, robots: 0 })
    const { gameList } = (await test.call(lobby, { game_id: 1 })).data
    expect(gameList[0]?.planList[0]).toMatchObject({ id: 11, robot_num: 0 })
    // That they bet no more: above.
    await test.call(wire.setRobots, { plan_id: 11, robots: 3 }, owner)
    const { data: log } = await test.call(listAuditRows, { limit: 2 }, owner)
    const set11 = { action: 'robots_set', staff: 'owner', subject: 'room:11' }
    expect(log.list).toMatchObject([
      { ...set11, details: { before: 0, after: 3 } },
      { ...set11, details: { before: 6, after: 0 } },
    ])
    await expectAlwaysTrue(test.database.owner)

    // The database's own refusals: room-robots.test.ts.
    const set = (ask: { plan_id: number; robots: number }, by = owner) =>
      test.call(wire.setRobots, ask, by)
    for (const wrong of [-1, 51, 1.5, null as never])
      expect(await faultsOf(set({ plan_id: 11, robots: wrong }))).toEqual(['robots'])
    const none = { http: 404, data: { reason: 'not_found', field: 'plan_id' } }
    expect(await set({ plan_id: 99, robots: 1 })).toMatchObject(none)
    const person = await addStaff(test, 'finance')
    expect(await test.call(wire.robots, {}, person)).toMatchObject({ code: 1 })
    expect(await set({ plan_id: 11, robots: 1 }, person)).toMatchObject({ code: 403 })
  })

  it('do not exist if they are switched off, and no room shows any', async () => {
    const test = withoutRobots
    const { db } = test.database
    const session = await staffToken(test.database)
    const seat = (robots: number) => setRobots(db, { roomId: 11, robots, session })
    onTestFinished(async () => void (await seat(0)))
    await seat(5)
    const { data } = await test.call(configRoute, {})
    expect(data.features.robots).toBe(false)
    const { gameList } = (await test.call(lobby, { game_id: 1 })).data
    expect(gameList[0]?.planList.map(({ robot_num }) => robot_num)).toEqual([0, 0, 0, 0])
    // Through a round, in which they would have come.
    await playRound(test)
    expect(await allRobots(db)).toEqual([])
  })
})
