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
    owner.query(
      `select wallet.move('${call}', array[row($1, app.now()::date, $2, $3)::wallet.movement])`,
      [player, u * 1_000_000, reference],
    )
  await move('deposit_held', 200, 'kept')
  await move('deposit_released', 200, 'kept')
  await move('deposit_held', 50, 'sent back')
  await move('deposit_refunded', 50, 'sent back')
  await move('withdrawal', 300, 'paid')
  await move('withdrawal_paid', 300, 'paid')
  await move('withdrawal', 40, 'refused')
  await move('withdrawal_released', 40, 'refused')
  await move('withdrawal', 20, 'unpaid')
  await move('withdrawal_paid', 20, 'unpaid')
  await move('withdrawal_reversed', 20, 'unpaid')
  await move('bonus', 5, 'bonus')
  await move('adjustment_credit', 7, 'credit')
  await move('adjustment_debit', 9, 'debit')
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
