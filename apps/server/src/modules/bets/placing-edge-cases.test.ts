/** What is never written of a bet, and by what it could lose its player, room or round. */
import { beforeAll, expect, it } from 'vitest'
import {
  addPlayer,
  openTestRound,
  orderFor,
  placeAccepted,
  sealTestRound,
  type TestRound,
} from '#testing/database/fixtures.ts'
import { rolledBack, shareTestDatabase } from '#testing/database/test-database.ts'

const database = shareTestDatabase()
let round: TestRound
beforeAll(async () => {
  round = await openTestRound(database)
  await placeAccepted(database, [orderFor(await addPlayer(database), round)])
})

/** Tries to write a copy of the bet that differs in this; nothing of it is kept. */
const copied = (change: string) =>
  rolledBack(database, async (tx) => {
    await tx.query(`create temporary table copied as select * from bets.bet limit 1`)
    await tx.query(`update copied set id = id + 1000, client_key = 'another', ${change}`)
    await tx.query('insert into bets.bet select * from copied')
  })

it('of an accepted bet nothing is changed, by the owner of the database neither, but its settlement, once', async () => {
  const { owner } = database
  for (const change of [
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
  ]) {
    const changed = owner.query(`update bets.bet set ${change}`)
    await expect(changed, change).rejects.toThrow('never changes')
  }
  await rolledBack(database, async (tx) => {
    const settled = `update bets.bet set status = 'lost', payout = 0, settled_at = app.now()`
    await tx.query(settled)
    await expect(tx.query(settled)).rejects.toThrow('settled once')
  })
})

it('a bet without its player, room or open round is not written, not even one that is settled', async () => {
  await copied('stake = stake')
  const withoutReference = { code: '23503' }
  for (const change of ['player_id = 2147483647', 'room_id = 2147483647', 'issue = issue + 1']) {
    await expect(copied(change), change).rejects.toMatchObject(withoutReference)
  }
  await sealTestRound(database, round)
  const settled = `status = 'lost', payout = 0, settled_at = app.now()`
  await expect(copied(settled)).rejects.toMatchObject(withoutReference)
})

it('no player, room or balance is deleted, nor is its key changed: no bet loses what it names', async () => {
  for (const change of [
    ...['accounts.player', 'games.room', 'ledger.balance'].flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]),
    'update games.room set id = id',
    'update games.room set game_id = game_id',
    'update ledger.balance set holder_id = holder_id',
  ]) {
    const changed = database.owner.query(change)
    await expect(changed, change).rejects.toMatchObject({ code: '23001' })
  }
})
