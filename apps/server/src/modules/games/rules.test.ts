/** The rules in numbers: those that the database uses for bets, compared with a table that is written by hand. */
import { rules } from '@sum28/contract/index-routes.ts'
import { OUTCOME_TABLE, START_ODDS } from '@sum28/domain/testing/outcome-table.ts'
import { expect, it } from 'vitest'
import { readConfig } from '#src/config.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { serveForTest } from '#testing/product/served-routes.ts'
import { gamesModule } from './module.ts'

async function served() {
  const database = await createTestDatabase()
  const config = readConfig({ OPENING_HOURS: '10:00-02:00', BEACON_DEADLINE_SECONDS: '600' })
  const api = await serveForTest(
    gamesModule({
      db: database.db,
      config,
      schedule: config.schedule,
      now: () => Date.UTC(2026, 10, 20, 12),
    }).routes,
  )
  return { database, api }
}

it('the schedule is that of the configuration', async () => {
  const { api } = await served()
  const { data } = await api.call(rules, {})
  expect({ ...data, rooms: data.rooms.length }).toEqual({
    round_seconds: 210,
    seal_seconds: 30,
    rounds_a_day: 274,
    opening_hours: '10:00-02:00',
    game_timezone: 'Asia/Singapore',
    beacon_deadline_seconds: 600,
    payout_max: '1000000.00',
    rooms: 16,
  })
})

it('each room has its limits and, for all 36 outcomes, odds, chance and return', async () => {
  const { api } = await served()
  const { data } = await api.call(rules, {})
  const limits = [
    ['100.00', '100.00'],
    ['200.00', '1000.00'],
    ['500.00', '5000.00'],
    ['1000.00', '20000.00'],
  ]
  for (const room of data.rooms) {
    expect([room.min_limit, room.join_limit]).toEqual(limits[room.type])
    expect(room.max).toBe('1000000.00')
    expect(room.rules_version).toBe(1)
    expect(room.game_name).toBe(['', 'DOT', 'BCH', 'ETH', 'BTC'][room.game_id])
    const offered = [...room.rule_base, ...room.rule_num]
    expect(room.rule_base).toHaveLength(8)
    for (const [at, row] of OUTCOME_TABLE.entries()) {
      const odds = START_ODDS[room.type]?.[row.ways] ?? ''
      // Whole numbers: odds in thousandths times ways is the return in millionths.
      const ppm = Math.round(Number(odds) * 1_000) * row.ways
      expect(offered[at]).toEqual({
        class: row.id,
        class_name: row.outcome,
        odds,
        chance: `0.${String(row.ways * 10).padStart(4, '0')}`,
        return: `0.${String(Math.floor(ppm / 100)).padStart(4, '0')}`,
      })
    }
  }
})

it('a change of the operator shows at once, and one game can be asked for', async () => {
  const { api, database } = await served()
  await database.owner.query(
    'update games.odds set odds_milli = 1800 where room_id = 21 and rule_id = 1',
  )
  await database.owner.query(
    'update games.room set stake_max = 5000000, stake_min = 1000000, rules_version = 2 where id = 21',
  )
  const { data } = await api.call(rules, { game_id: 2 })
  expect(data.rooms.map(({ id, game_id }) => [id, game_id])).toEqual([
    [21, 2],
    [22, 2],
    [23, 2],
    [24, 2],
  ])
  expect(data.rooms[0]).toMatchObject({ min_limit: '1.00', max: '5.00', rules_version: 2 })
  expect(data.rooms[0]?.rule_base[0]).toEqual({
    class: 1,
    class_name: 'long',
    odds: '1.8',
    chance: '0.5000',
    return: '0.9000',
  })
  expect(await api.call(rules, { game_id: 9 })).toMatchObject({ http: 404 })
})
