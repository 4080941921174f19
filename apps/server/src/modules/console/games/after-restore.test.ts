/** A database that went back to an instant begins anew what was undone or published since. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { callFunction } from '#src/db/database.ts'
import { startSession } from '#src/modules/accounts/session.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { releaseDeposits } from '#src/modules/protection/protection-store.ts'
import { openBetting, stopsNow } from '#src/modules/rooms/stop-betting.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, takeDeposit } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { proposeRefund } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

it('all sign in anew, no bet is taken until an owner opens, withdrawals are held, and no seed is used that may be public', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const token = await staffToken(database)
  const name = await owner.value<string>('select name from staff.member')
  const playerId = await addPlayer(database)
  await owner.query(
    `insert into accounts.known_device (player_id, secret_hash) values ($1, sha256('phone'))`,
    [playerId],
  )
  await startSession(db, { playerId, passwordHash: null, netAtStart: 0n })
  const cipher = secretCipher('a key of seeds that is long enough')
  const seeds = seedKeeper({ db: owner, cipher, roundsADay: 10, length: 30 })
  const before = await seeds.chainInUse(1)
  await owner.query('update fairness.chain set used = used + 1')

  // Who does it says so, by a name that was there at that instant.
  await expect(owner.query(`select console_games.after_restore('nobody')`)).rejects.toThrow(
    'stopped_by',
  )
  await owner.query('select console_games.after_restore($1)', [name])

  expect((await seeds.chainInUse(1)).id).toBeGreaterThan(before.id)
  const given = ['deposits.address_derivation_index_seq', 'withdrawals.withdrawal_id']
  for (const numbers of [...given, 'console_money.bank_batch_id_seq']) {
    const next = await owner.value<bigint>('select nextval($1) as next', [numbers])
    expect(Number(next), numbers).toBeGreaterThan(10_000)
  }
  // The bank reference is made of it.
  expect(await addPlayer(database)).toBeGreaterThan(playerId + 10_000)
  // Whoever was paid since could be paid again.
  expect(await owner.value('select withdrawals.hold_until($1) as until', [playerId])).not.toBeNull()
  const live = await owner.query(
    `select from accounts.session where ended_at is null union all
     select from accounts.remembered_device where ended_at is null union all
     select from accounts.known_device union all
     select from staff.session where ended_at is null`,
  )
  expect(live).toEqual([])
  const stopped = () => owner.query('select stopped from games.house')
  expect(await stopped()).toEqual([{ stopped: true }])
  const [stop] = await stopsNow(db)
  const seen = stop?.id ?? null
  const open = (session: string) => openBetting(db, { subject: { scope: 'all' }, seen, session })
  expect(await open(token)).toEqual({ refused: 'session_replaced' })
  expect(await open(await staffToken(database))).toBeNull()
  expect(await stopped()).toEqual([{ stopped: false }])
})

it('a held deposit is neither credited nor paid back for the time of a hold, but can be proposed: it may be paid back already', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const at = Date.UTC(2026, 10, 20, 4)
  await database.freezeClock(at)
  const proposer = await staffToken(database, { role: 'finance' })
  const name = await owner.value<string>('select name from staff.member')
  const playerId = await addPlayer(database, { u: 0 })
  const review = (under: boolean) =>
    owner.query('update protection.player set under_review = $2 where player_id = $1', [
      playerId,
      under,
    ])
  await review(true)
  for (const reference of ['test:1', 'test:2', 'test:3'])
    await takeDeposit(owner, { playerId, micro: 7_000_000n, reference })
  const ids = await owner.column<number>(
    'select id::integer as id from protection.held_deposit order by id',
  )
  const [free = 0, proposed = 0, taken = 0] = ids
  const payer = await staffToken(database, { role: 'finance' })
  const take = (id: number, session: string) =>
    callFunction<string>(db, 'console_money.take_refund', id, null, session)
  for (const id of [proposed, taken]) await proposeRefund(db, { id, session: proposer })
  expect(await take(taken, payer)).toBe('taken')
  await review(false)
  await owner.query('select console_games.after_restore($1)', [name])

  const release = () => releaseDeposits(db, { onDay: '2026-11-20' })
  expect(await release()).toEqual([])
  const [anew, other] = [
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'finance' }),
  ]
  expect(await proposeRefund(db, { id: free, session: anew })).toBe('proposed')
  expect([await take(free, other), await take(proposed, other)]).toEqual([
    'withdrawal_on_hold',
    'withdrawal_on_hold',
  ])
  // The start page shows neither: they wait for nobody.
  expect((await readNeeds(db, ['proposals_waiting']))[0]?.count).toBe(1)
  await database.freezeClock(at + 24 * 3_600_000)
  const later = await staffToken(database, { role: 'finance' })
  expect([await take(free, later), await take(proposed, later)]).toEqual(['taken', 'taken'])
  await expectAlwaysTrue(owner)
})

it.each(['house', 'safe'])(
  'the page for %s has nothing after it in its block: pasted lines go on after an error',
  (name) => {
    const page = readFileSync(
      new URL(`../../../../../../deploy/${name}/README.md`, import.meta.url),
      'utf8',
    )
    expect(page.match(/console_games\.after_restore.*\n(.*)/)?.[1]).toBe('```')
  },
)
