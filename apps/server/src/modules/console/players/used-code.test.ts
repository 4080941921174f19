/** When the use of a security code shows that the player knows it. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

const PROPOSED_AT = '2026-11-20 12:00:00.001Z'

it.each([
  ['before the proposal', '2026-11-20 12:00Z', false],
  ['at the very moment of the proposal', PROPOSED_AT, false],
  ['after the proposal', '2026-11-20 12:00:00.002Z', true],
])('a code that was changed, or used for a withdrawal, %s', async (_when, at, known) => {
  const database = await createTestDatabase()
  const { owner } = database
  const changed = await addPlayer(database)
  await owner.query(
    `insert into accounts.security_code (player_id, code_hash, changed_at) values ($1, 'x', $2)`,
    [changed, at],
  )
  const withdrew = await addPlayer(database)
  await owner.query(
    `with method as (
       insert into withdrawals.pay_method (player_id, kind, encrypted_number, shown_number, key_id, label)
       values ($1, 'wallet', '', '', '', '') returning id)
     insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
     select $1, 1, id, 5000000, '2026-11-20', 0, $2 from method`,
    [withdrew, at],
  )
  for (const playerId of [changed, withdrew]) {
    const rows = await owner.query<{ known: boolean }>(
      'select console_players.knows_code($1, $2) as known',
      [playerId, PROPOSED_AT],
    )
    expect(only(rows).known).toBe(known)
  }
})
