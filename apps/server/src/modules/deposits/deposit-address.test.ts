import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { PUBLISHED_ADDRESSES, publishedKey } from '#testing/hosts/served-local-node.ts'
import { depositAddress, watchSpareAddresses } from './deposit-address.ts'
import { beginWatching } from './deposit-store.ts'

const [FIRST, SECOND] = PUBLISHED_ADDRESSES

/** Two members, how an address of the published account is requested, and the addresses that are stored. */
async function members() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const request = (playerId: number, chain = 'tron') =>
    depositAddress(db, { key: publishedKey(), chain, playerId })
  const stored = () =>
    owner.query(
      'select player_id as player, derivation_index as index, address from deposits.address order by index',
    )
  const [ann, bob] = [await addPlayer(database), await addPlayer(database)]
  return { db, owner, ann, bob, request, stored }
}

describe('a member’s address', () => {
  it('is assigned once: it cannot be replaced, or moved to another member', async () => {
    const { db, owner, ann, bob } = await members()
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

  it('is made at the first request, and stays the same', async () => {
    const { db, ann, bob, request, stored } = await members()
    await beginWatching(db, 'tron', 7)
    const all = [
      { player: ann, index: 0, address: FIRST },
      { player: bob, index: 1, address: SECOND },
    ]
    expect(await request(ann)).toBe(FIRST)
    expect(await stored()).toEqual(all.slice(0, 1))
    expect(await request(bob)).toBe(SECOND)
    // Even while another chain is not watched yet.
    for (const chain of ['tron', 'other']) expect(await request(ann, chain)).toBe(FIRST)
    expect(await stored()).toEqual(all)
  })

  it('is the same for simultaneous first requests, and is stored once', async () => {
    const { db, ann, request, stored } = await members()
    await beginWatching(db, 'tron', 7)
    const [one, ...others] = await Promise.all([request(ann), request(ann), request(ann)])
    expect(others).toEqual([one, one])
    // Each of the three may have taken a number first; those of the others are left out.
    expect(await stored()).toEqual([{ player: ann, index: expect.any(Number), address: one }])
  })

  it('that was passed over is watched as a spare one, as after a restore', async () => {
    const { db, owner, ann, request } = await members()
    await beginWatching(db, 'tron', 7)
    const spare = async () => {
      await watchSpareAddresses(db, publishedKey())
      return db.column<number>(
        'select derivation_index as index from deposits.spare_address order by index',
      )
    }
    // Before the first is given, the twenty that come first.
    expect(await spare()).toEqual([...Array(20).keys()])
    await owner.query(
      `select setval('deposits.address_derivation_index_seq', nextval('deposits.address_derivation_index_seq') + 5)`,
    )
    expect(await spare()).toEqual([...Array(26).keys()])
    await request(ann)
    expect(await db.query('select derivation_index as index from deposits.address')).toEqual([
      { index: 6 },
    ])
    expect(await spare()).toEqual([...Array(27).keys()])
  })

  it('is not made before the chain is watched', async () => {
    const { db, ann, request, stored } = await members()
    await beginWatching(db, 'other', 7)
    expect(await request(ann)).toBeNull()
    expect(await stored()).toEqual([])
    await beginWatching(db, 'tron', 7)
    expect(await request(ann)).toBe(FIRST)
  })
})
