import { MICRO } from '@sum28/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { comparisonBegins, setClocksApart } from '#src/modules/games/catalog.ts'
import { checkNewBooks } from '#src/modules/ledger/check-books.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { PUBLISHED_ADDRESSES, publishedKey } from '#testing/hosts/served-local-node.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { depositAddress, watchSpareAddresses } from './deposit-address.ts'
import { beginWatching, creditBlock, noteSeen, ownAddresses } from './deposit-store.ts'

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
  const [ann, bob] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  return { database, db, owner, ann, bob, request, stored }
}

describe('a member’s address', () => {
  it('is assigned once: it cannot be replaced, or moved to another member', async () => {
    const { db, owner, ann, bob } = await members()
    const put = (address: string | null) =>
      db.query('select deposits.put_address($1, $2)', [ann, address])
    await db.query('select deposits.take_index($1)', [ann])
    await put('TAnn')
    for (const other of ['TThief', null]) {
      await expect(put(other), `${other}`).rejects.toThrow(/never change/)
      const change = owner.query('update deposits.address set address = $1', [other])
      await expect(change, `${other}`).rejects.toThrow(/never change/)
    }
    for (const statement of [
      'delete from deposits.address',
      `update deposits.address set player_id = ${bob}`,
      `insert into deposits.address (player_id, address, given_at) values (${bob}, 'T', '2020-01-01')`,
    ]) {
      await expect(db.query(statement), statement).rejects.toThrow(/permission denied/)
    }
    // A second request of the member returns the same address.
    await put('TAnn')
  })

  it('that is not derived from the account key is not ours: nothing is credited, and the books say so', async () => {
    const { database, ann, bob, request } = await members()
    const { db, owner } = database
    await beginWatching(db, 'tron', 7)
    await request(ann)
    await db.query('select deposits.take_index($1)', [bob])
    await db.query(`select deposits.put_address($1, 'TExchange')`, [bob])
    await watchSpareAddresses(db, publishedKey())
    const transfer = {
      txId: 'ab'.repeat(32),
      from: 'TSender',
      amountMicro: 5n * MICRO,
      blockNumber: 8,
      blockTime: new Date(),
    }
    const transfers = [FIRST, 'TExchange'].map((to, logIndex) => ({ ...transfer, to, logIndex }))
    const deps = { db, chain: 'tron', timeZone: 'UTC', now: Date.now }
    const block = { blockNumber: 8, blockTime: new Date(), transfers, tooLarge: [], skipped: [] }
    expect(await creditBlock(deps, block)).toMatchObject([{ playerId: ann }])
    const seen = [{ ...transfer, to: 'TExchange', logIndex: 0, blockNumber: 9 }]
    const looked = { chain: 'tron', height: 8, from: 9, to: 9, solidHeight: 8 }
    await noteSeen(db, { ...looked, transfers: seen })
    expect(await owner.query('select from deposits.seen_transfer')).toEqual([])
    await owner.query(`update deposits.address set given_at = given_at - interval '2 days'`)
    const { log } = captureLog()
    expect(await checkNewBooks({ db: database.jobs, log })).toEqual([
      expect.stringContaining('each address of a member is derived'),
    ])
  })

  it('that was given before the jobs derived it is derived later', async () => {
    const { db, ann, request } = await members()
    await beginWatching(db, 'tron', 7)
    await request(ann)
    expect(await ownAddresses(db, [FIRST])).toEqual(new Set())
    await watchSpareAddresses(db, publishedKey())
    expect(await ownAddresses(db, [FIRST])).toEqual(new Set([FIRST]))
  })

  it('is made at the first request, beyond the accounts that a wallet shows, and stays the same', async () => {
    const { db, ann, bob, request, stored } = await members()
    // Not before its chain is watched.
    await beginWatching(db, 'other', 7)
    expect([await request(ann), await stored()]).toEqual([null, []])
    await beginWatching(db, 'tron', 7)
    const all = [
      { player: ann, index: 1_000, address: FIRST },
      { player: bob, index: 1_001, address: SECOND },
    ]
    expect(await request(ann)).toBe(FIRST)
    expect(await stored()).toEqual(all.slice(0, 1))
    expect(await request(bob)).toBe(SECOND)
    // Even while another chain is not watched yet.
    for (const chain of ['tron', 'a third']) expect(await request(ann, chain)).toBe(FIRST)
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
    const first = (count: number) => [...Array(count).keys()].map((at) => 1_000 + at)
    // Before the first is given, the twenty that come first.
    expect(await spare()).toEqual(first(20))
    await owner.query(
      `select setval('deposits.address_derivation_index_seq', nextval('deposits.address_derivation_index_seq') + 5)`,
    )
    expect(await spare()).toEqual(first(26))
    await request(ann)
    expect(await db.query('select derivation_index as index from deposits.address')).toEqual([
      { index: 1_006 },
    ])
    expect(await spare()).toEqual(first(27))
  })

  it('is not made by a clock that is ahead: transfers of its first hours would not be his', async () => {
    const { db, ann, bob, request, stored } = await members()
    const apart = async (isApart: boolean) =>
      setClocksApart(db, isApart, { began: await comparisonBegins(db) })
    await beginWatching(db, 'tron', 7)
    const address = await request(ann)
    await apart(true)
    expect(await request(bob)).toBeNull()
    expect(await request(ann)).toBe(address)
    expect(await stored()).toHaveLength(1)
    await apart(false)
    expect(await request(bob)).toBe(SECOND)
  })
})
