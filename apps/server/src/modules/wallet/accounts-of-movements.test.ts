/** The two accounts that each kind of movement is booked between. */
import { expect, it } from 'vitest'
import { addPlayer, moveMoney } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

const TREASURY = 'house:treasury'

// In an order in which the balances suffice.
const OF_A_PERSON = [
  ['stake', 'cash', 'house:game'],
  ['payout', 'house:game', 'cash'],
  ['refund', 'house:game', 'cash'],
  ['deposit', TREASURY, 'cash'],
  ['deposit_held', TREASURY, 'held'],
  ['deposit_released', 'held', 'cash'],
  ['deposit_held', TREASURY, 'held'],
  ['deposit_refunded', 'held', TREASURY],
  ['deposit_held', TREASURY, 'held'],
  ['held_taken_back', 'held', TREASURY],
  ['deposit_taken_back', 'cash', TREASURY],
  ['withdrawal', 'cash', 'held'],
  ['withdrawal_paid', 'held', TREASURY],
  ['withdrawal', 'cash', 'held'],
  ['withdrawal_released', 'held', 'cash'],
  ['withdrawal_reversed', TREASURY, 'cash'],
  ['bonus', 'house:bonus', 'cash'],
  ['adjustment_credit', 'house:bonus', 'cash'],
  ['adjustment_debit', 'cash', 'house:bonus'],
] as const
const OF_A_ROBOT = [
  ['robot_funding', 'house:robots', 'cash'],
  ['robot_sweep', 'cash', 'house:robots'],
] as const

it.each([
  { of: 'a person', robot: false, movements: OF_A_PERSON },
  { of: 'a robot', robot: true, movements: OF_A_ROBOT },
])('each movement of $of is booked between its two accounts', async ({ robot, movements }) => {
  const database = await createTestDatabase()
  const { owner } = database
  const player = await addPlayer(database, { u: 100, robot })
  for (const [position, [kind, source, destination]] of movements.entries()) {
    const reference = `movement:${position}`
    await moveMoney(owner, kind, { playerId: player, micro: 5n, reference })
    const posted = await owner.one(
      'select kind, source, destination from ledger.posting where holder_id = $1 and reference = $2',
      [player, reference],
    )
    expect(posted, kind).toEqual({ kind, source, destination })
  }
  const held = 'select held from ledger.balance where holder_id = $1'
  expect(await owner.value(held, [player])).toBe(0n)
})
