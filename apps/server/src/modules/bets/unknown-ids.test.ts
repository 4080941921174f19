import { describe, expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase, rolledBack } from '#testing/database/test-database.ts'
import { betOrder } from '#testing/product/play-round.ts'
import { betPlacer, type Order } from './place-bet.ts'

describe('an order with unknown ids', () => {
  it('is refused by itself, and affects no order of the same moment', async () => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const players = await Promise.all([1, 2, 3, 4].map(() => addPlayer(database)))
    const { db } = database
    const placeBet = betPlacer({ db, onAccepted: () => {} })
    const order = (index: number, change: Partial<Order> = {}) =>
      betOrder(players[index] ?? 0, round, change)
    const replies = await Promise.all([
      placeBet(order(0)),
      placeBet(order(1, { ruleIds: [1, 2_147_483_647] })),
      placeBet(order(2, { gameId: 2_147_483_647 })),
      placeBet(order(3, { roomId: 2_147_483_647, issue: '99999999999999' })),
    ])
    expect(replies).toMatchObject([
      { bet: { playerId: players[0] }, replayed: false },
      { refused: 'rule_unknown' },
      { refused: 'not_found' },
      { refused: 'not_found' },
    ])
  })

  it.each([
    ['player', 'player_id = 2147483647'],
    ['room', 'room_id = 2147483647'],
    ['round', 'issue = issue + 1'],
  ])('is never written: a bet without its %s is refused', async (_name, change) => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    expect(await placeAll(database, [orderFor(player, round)])).toEqual([null])
    await rolledBack(database, async (tx) => {
      await tx.query(`create temporary table copied as select * from bets.bet`)
      await tx.query(`update copied set id = id + 1, client_key = 'another'`)
      await tx.query(`savepoint before`)
      await tx.query(`update copied set ${change}`)
      const copy = tx.query('insert into bets.bet select * from copied')
      await expect(copy).rejects.toMatchObject({ code: '23503' })
      await tx.query(`rollback to before`)
      await tx.query('insert into bets.bet select * from copied')
    })
  })

  it.each([
    ['accounts.player', []],
    ['games.room', ['id', 'game_id']],
    ['ledger.balance', ['holder_id']],
  ])(
    'comes from no later change: no %s is deleted, nor is its key changed',
    async (table, keys) => {
      const database = await createTestDatabase()
      await addPlayer(database)
      const updates = keys.map((key) => `update ${table} set ${key} = ${key}`)
      for (const change of [`delete from ${table}`, `truncate ${table} cascade`, ...updates]) {
        await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' })
      }
    },
  )
})
