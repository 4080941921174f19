/** The two accounts that each kind of movement is booked between. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

const TREASURY = 'house:treasury'

// In an order in which the balances suffice.
const OF_A_PERSON = [
  ['take_stakes(', 'stake', 'cash', 'house:game'],
  ['pay_winnings(', 'payout', 'house:game', 'cash'],
  ['refund_stakes(', 'refund', 'house:game', 'cash'],
  ['credit_deposits(', 'deposit', TREASURY, 'cash'],
  ['hold_deposits(', 'deposit_held', TREASURY, 'held'],
  ['release_deposits(', 'deposit_released', 'held', 'cash'],
  ['hold_deposits(', 'deposit_held', TREASURY, 'held'],
  ['refund_deposits(', 'deposit_refunded', 'held', TREASURY],
  ['reserve(', 'withdrawal', 'cash', 'held'],
  ['pay_out_held(', 'withdrawal_paid', 'held', TREASURY],
  ['reserve(', 'withdrawal', 'cash', 'held'],
  ['release_held(', 'withdrawal_released', 'held', 'cash'],
  ['reverse_withdrawals(', 'withdrawal_reversed', TREASURY, 'cash'],
  [`adjust('bonus', `, 'bonus', 'house:bonus', 'cash'],
  [`adjust('credit', `, 'adjustment_credit', 'house:bonus', 'cash'],
  [`adjust('debit', `, 'adjustment_debit', 'cash', 'house:bonus'],
] as const
const OF_A_ROBOT = [
  ['fund_robots(', 'robot_funding', 'house:robots', 'cash'],
  ['sweep_robots(', 'robot_sweep', 'cash', 'house:robots'],
] as const

it.each([
  { of: 'a person', robot: false, movements: OF_A_PERSON },
  { of: 'a robot', robot: true, movements: OF_A_ROBOT },
])('each movement of $of is booked between its two accounts', async ({ robot, movements }) => {
  const database = await createTestDatabase()
  const { owner } = database
  const player = await addPlayer(database, { u: 100, robot })
  for (const [position, [call, kind, source, destination]] of movements.entries()) {
    const reference = `movement:${position}`
    await owner.query(
      `select wallet.${call}array[row($1, '2026-11-20', 5, $2::text)::wallet.movement])`,
      [player, reference],
    )
    const posted = only(
      await owner.query(
        'select kind, source, destination from ledger.posting where holder_id = $1 and reference = $2',
        [player, reference],
      ),
    )
    expect(posted, call).toEqual({ kind, source, destination })
  }
  const balance = only(
    await owner.query('select held from ledger.balance where holder_id = $1', [player]),
  )
  expect(balance).toEqual({ held: 0n })
})
