/** What the figures count as deposited, withdrawn and adjusted, of each way in which a player's money moves. */
import { expect, it } from 'vitest'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

it('counts deposits and withdrawals without returned ones, corrections, and no bets', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  const player = await addPlayer(database, { u: 1_000 })
  const other = await addPlayer(database, { u: 30 })
  const move = (call: string, u: number, reference: string) =>
    owner.query(`select wallet.${call}array[row($1, app.now()::date, $2, $3)::wallet.movement])`, [
      player,
      u * 1_000_000,
      reference,
    ])
  await move('hold_deposits(', 200, 'kept')
  await move('release_deposits(', 200, 'kept')
  await move('hold_deposits(', 50, 'sent back')
  await move('refund_deposits(', 50, 'sent back')
  await move('reserve(', 300, 'paid')
  await move('pay_out_held(', 300, 'paid')
  await move('reserve(', 40, 'refused')
  await move('release_held(', 40, 'refused')
  await move('reserve(', 20, 'unpaid')
  await move('pay_out_held(', 20, 'unpaid')
  await move('reverse_withdrawals(', 20, 'unpaid')
  await move(`adjust('bonus', `, 5, 'bonus')
  await move(`adjust('credit', `, 7, 'credit')
  await move(`adjust('debit', `, 9, 'debit')
  const order = orderFor(player, await openTestRound(database))
  expect(await placeAll(database, [order])).toEqual([null])
  expect(
    await owner.query(
      `select player_id as player, (sum(deposited) / 1e6)::integer as deposited,
         (sum(withdrawn) / 1e6)::integer as withdrawn, (sum(adjusted) / 1e6)::integer as adjusted
       from console_start.money_moved where player_id = any ($1) group by 1 order by 1`,
      [[player, other]],
    ),
  ).toEqual([
    { player, deposited: 1_200, withdrawn: 300, adjusted: 3 },
    { player: other, deposited: 30, withdrawn: 0, adjusted: 0 },
  ])
})
