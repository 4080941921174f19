import { expect, it } from 'vitest'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { catalogReader } from '#src/modules/games/catalog.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAccepted,
} from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { ALL_DAY } from '#testing/product/play-round.ts'
import { memberCaller } from '#testing/product/served-routes.ts'
import { roomBoard } from './board.ts'
import { heartbeat } from './heartbeat.ts'

const LONG = 1
const SHORT = 2

it('reports exactly the player’s own wins of the last two rounds, each with the total of its round', async () => {
  const database = await createTestDatabase()
  const { db } = database
  const name = 'winner_lee'
  const player = await addPlayer(database, { u: 10_000, name })
  const other = await addPlayer(database, { u: 10_000 })
  let now = Date.UTC(2026, 10, 20, 4)
  await database.freezeClock(now)

  /** A round of nines, in which long wins, with the player's bets and one of another player. */
  async function playedRound(bets: readonly { ruleId: number; u: number }[]): Promise<string> {
    const round = await openTestRound(database)
    for (const { ruleId, u } of bets) {
      const order = orderFor(player, round, { ruleIds: [ruleId], u })
      await placeAccepted(database, [order])
    }
    await placeAccepted(database, [orderFor(other, round, { ruleIds: [LONG] })])
    await drawTestRound(database, round, [9, 9, 9])
    await settleRound(db, round, '2026-11-20')
    now = round.drawsAt + 1
    return round.issue
  }

  await playedRound([{ ruleId: LONG, u: 100 }])
  const lossInAll = await playedRound([
    { ruleId: LONG, u: 100 },
    { ruleId: SHORT, u: 300 },
  ])
  const gainInAll = await playedRound([
    { ruleId: LONG, u: 200 },
    { ruleId: LONG, u: 100 },
    { ruleId: SHORT, u: 150 },
  ])

  const caller = memberCaller(player)
  const board = roomBoard({ db, schedule: ALL_DAY, now: () => now, feedKey: Buffer.alloc(32) })
  const { beat } = heartbeat({ db, board, catalog: catalogReader(db), now: () => now })
  const ids = await database.owner.column<bigint>(
    `select id from bets.bet where player_id = $1 and status = 'won' order by id`,
    [player],
  )
  const [, second, third, fourth] = ids.map(Number)
  const common = { game_name: 'DOT', nickname: expect.stringMatching(/^wi\*+ee$/) }
  // Odds of 1.92: of 100 staked 192 come back, and 300 are lost; of 200 and 100 in all 576, and 150 are lost.
  expect(await beat(caller, { gameId: 1, roomId: 11, after: null })).toMatchObject({
    hit_notice: [
      { id: second, issue: lossInAll, profit: '92.00', round_profit: '-208.00', ...common },
      { id: third, issue: gainInAll, profit: '184.00', round_profit: '126.00', ...common },
      { id: fourth, issue: gainInAll, profit: '92.00', round_profit: '126.00', ...common },
    ],
  })
})
