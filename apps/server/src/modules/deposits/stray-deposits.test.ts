/** Bookings of USDT without a transfer of their own: which of them are reported. */
import { expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'

const DAY = '2026-11-20'
const TX = 'ab'.repeat(32)

/** A player, and functions that book money for him, record transfers and differences, and look for stray bookings. */
async function booked(references: string[]) {
  const database = await createTestDatabase()
  const { db, owner } = database
  const [player, other] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  for (const reference of references) {
    await owner.query(`select wallet.move('deposit', array[row($1, $2, 5, $3)::wallet.movement])`, [
      ...[player, DAY, reference],
    ])
  }
  return {
    ...{ player, other },
    record: (logIndex: number, to = player) =>
      owner.query(
        `insert into deposits.transfer (tx_id, log_index, block, block_at, from_address, to_address, amount, player_id,
           credited_at)
         values ($1, $2, 1, app.now(), 'T0', 'T1', 5, $3, app.now())`,
        [TX, logIndex, to],
      ),
    report: (logIndex: number, tx = TX) =>
      owner.query(
        `insert into deposits.chain_difference (kind, tx_id, log_index, details)
         values ('missing_on_chain', $1, $2, '{}')`,
        [tx, logIndex],
      ),
    stray: async () => {
      const rows = await db.query<{ name: string }>(
        `select left(tx_id, 2) || ':' || log_index as name from deposits.stray_deposits($1) order by 1`,
        [DAY],
      )
      return rows.map(({ name }) => name)
    },
  }
}

it('a booking is reported once, and by that no other of its transaction', async () => {
  const { report, stray } = await booked([`usdt:${TX}:0`, `usdt:${TX}:1`])
  expect(await stray()).toEqual(['ab:0', 'ab:1'])
  await report(0, 'cd'.repeat(32))
  expect(await stray()).toEqual(['ab:0', 'ab:1'])
  await report(0)
  expect(await stray()).toEqual(['ab:1'])
  await report(1)
  expect(await stray()).toEqual([])
})

it('a booking is reported if its transfer was recorded for another player', async () => {
  const { record, stray, other } = await booked([`usdt:${TX}:0`, `usdt:${TX}:1`])
  await record(0)
  await record(1, other)
  expect(await stray()).toEqual(['ab:1'])
})

it('only a booking whose reference is that of a transfer is reported', async () => {
  const { stray } = await booked([
    'bank:1',
    `usdt:${TX}`,
    `usdt:${TX}:`,
    `usdt:${TX}:x`,
    `usdt:${TX.slice(1)}:0`,
    `x:usdt:${TX}:0`,
    `usdt:${TX}:0`,
  ])
  expect(await stray()).toEqual(['ab:0'])
})
