import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/fixtures.ts'
import { createTestDatabase } from '#testing/test-database.ts'

describe('a member’s address', () => {
  it('is assigned once: it cannot be replaced, or moved to another member', async () => {
    const { db, owner, ...database } = await createTestDatabase()
    const [ann, bob] = [
      await addPlayer({ db, owner, ...database }),
      await addPlayer({ db, owner, ...database }),
    ]
    await db.query('insert into deposits.address (player_id) values ($1)', [ann])
    await db.query(`update deposits.address set address = 'TAnn' where player_id = $1`, [ann])
    for (const by of [db, owner]) {
      for (const other of [`'TThief'`, 'null']) {
        const change = by.query(`update deposits.address set address = ${other}`)
        await expect(change, other).rejects.toThrow(/never change/)
      }
    }
    await expect(db.query('update deposits.address set player_id = $1', [bob])).rejects.toThrow(
      /permission denied/,
    )
    await expect(db.query('delete from deposits.address')).rejects.toThrow(/permission denied/)
    // A second request of the member returns the same address.
    await db.query(`update deposits.address set address = 'TAnn' where player_id = $1`, [ann])
  })
})
