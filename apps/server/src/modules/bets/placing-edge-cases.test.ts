/** What is never written of a bet, and by what it could lose its player, room or round. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAccepted,
  sealTestRound,
} from '#testing/database/fixtures.ts'
import {
  createTestDatabase,
  rolledBack,
  shareTestDatabase,
} from '#testing/database/test-database.ts'

describe('of an accepted bet', () => {
  const database = shareTestDatabase()
  beforeAll(async () => {
    const round = await openTestRound(database)
    await placeAccepted(database, [orderFor(await addPlayer(database), round)])
  })

  it.each([
    'player_id = player_id + 1',
    'id = id + 1',
    'booked_on = booked_on + 1',
    `order_no = '1'`,
    'game_id = 2',
    'issue = issue + 1',
    'room_id = 12',
    'rule_ids = array[2]::smallint[]',
    'odds_milli = array[1921]',
    'rules_version = rules_version + 1',
    'stake = stake + 10000, total = (stake + 10000) * cardinality(rule_ids)',
    'total = total',
    'cash_after = cash_after + 1',
    `accepted_at = accepted_at + interval '1 s'`,
    'follow_id = 1',
    `nonce = substr(sha256('x'), 1, 16)`,
    'could_pay = could_pay + 1',
    `client_key = 'x'`,
  ])('%s is refused, to the owner of the database too', async (change) => {
    await expect(database.owner.query(`update bets.bet set ${change}`)).rejects.toThrow(
      'never changes',
    )
  })

  it('only its settlement is written, once', async () => {
    const { owner } = database
    const settled = `update bets.bet set status = 'lost', payout = 0, settled_at = app.now()`
    await owner.query(settled)
    await expect(owner.query(settled)).rejects.toThrow('settled once')
  })
})

describe('a bet with unknown ids', () => {
  it.each([
    ['player', 'player_id = 2147483647'],
    ['room', 'room_id = 2147483647'],
    ['round', 'issue = issue + 1'],
  ])('is never written: one without its %s is refused', async (_name, change) => {
    const database = await createTestDatabase()
    const round = await openTestRound(database)
    const player = await addPlayer(database)
    await placeAccepted(database, [orderFor(player, round)])
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

it('a bet of a sealed round is never written, not even one that is settled', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  await placeAccepted(database, [orderFor(await addPlayer(database), round)])
  await sealTestRound(database, round)
  await rolledBack(database, async (tx) => {
    await tx.query(`create temporary table copied as select * from bets.bet`)
    await tx.query(
      `update copied set id = id + 1, client_key = 'another',
         status = 'lost', payout = 0, settled_at = app.now()`,
    )
    const copy = tx.query('insert into bets.bet select * from copied')
    await expect(copy).rejects.toMatchObject({ code: '23503' })
  })
})
