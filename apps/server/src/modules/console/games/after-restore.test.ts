/** A database that went back to an instant begins anew what was undone or published since. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
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
  await owner.query(
    `update app.books_checked set whole_order = '7', whole_through = app.now()::date`,
  )

  // Who does it says so, by a name that was there at that instant.
  await expect(owner.query(`select console_games.after_restore('nobody')`)).rejects.toThrow(
    'stopped_by',
  )
  await owner.query('select console_games.after_restore($1)', [name])

  expect((await seeds.chainInUse(1)).id).toBeGreaterThan(before.id)
  // Days that were checked may have been those of another machine.
  expect(await owner.value('select whole_order from app.books_checked')).toBeNull()
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
  const open = (session: string) =>
    openBetting(db, { subject: { scope: 'all', id: 0 }, seen, session })
  expect(await open(token)).toEqual({ refused: 'session_replaced' })
  expect(await open(await staffToken(database))).toBeNull()
  expect(await stopped()).toEqual([{ stopped: false }])
})

it('a second call passes over what was given after an earlier return to nearly the same state', async () => {
  const database = await createTestDatabase()
  const { owner } = database
  await staffToken(database)
  const sequence = 'deposits.address_derivation_index_seq'
  const next = async () => Number(await owner.value<bigint>('select nextval($1)', [sequence]))
  const goBack = () => owner.query('select console_games.after_restore(name) from staff.member')
  const atInstant = await next()
  await goBack()
  const given = await next()
  await owner.query('select setval($1, $2)', [sequence, atInstant])
  await goBack()
  expect(await next()).toBe(given)
  await goBack()
  expect(await next()).toBeGreaterThan(given + 9_999)
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

/** A house's page, and its commands for an occasion. */
function pageOf(house: string) {
  const file = new URL(`../../../../../../deploy/${house}/README.md`, import.meta.url)
  const page = readFileSync(file, 'utf8')
  return {
    page,
    blockOf: (on: string) =>
      page.split(`\n\`\`\`sh ${on}\n`)[1]?.split('```')[0]?.split('\n') ?? [],
  }
}

describe.each(['house', 'safe'])('the page for %s', (name) => {
  const { page, blockOf } = pageOf(name)
  const lineWith = (words: string) => blockOf('restore').findIndex((line) => line.includes(words))

  it('has nothing after it in its block: pasted lines go on after an error', () => {
    expect(page.match(/console_games\.after_restore.*\n(.*)/)?.[1]).toBe('```')
  })

  it('says how far it went, and can go to a later instant than before', () => {
    const told = lineWith('pg_last_xact_replay_timestamp()')
    expect(told).toBeGreaterThan(lineWith('pg_is_in_recovery()'))
    expect(told).toBeLessThan(lineWith('after_restore'))
    const restore = blockOf('restore')[lineWith('--type=time')]?.replace(/^.* pgbackrest/, 'echo')
    const options = (TIMELINE: string) =>
      execFileSync('sh', ['-c', `${restore}`], { env: { TIMELINE }, encoding: 'utf8' })
    expect(options('')).not.toContain('timeline')
    expect(options('3')).toContain(' --target-timeline=3 restore\n')
    expect(lineWith('reset recovery_target_timeline')).toBeGreaterThan(told)
  })
})

it('the page for two machines says when a return can be repeated, and when never', () => {
  const { page } = pageOf('house')
  expect(page).toMatch(/follow the block `restore` again \*\*before the next/)
  expect(page).toMatch(/\*\*never\*\* go back to an instant between/)
  expect(page).toMatch(/last line of the block once more for each return/)
})

it('the page for two machines goes back only on the one that leads', () => {
  const folder = temporaryFolder()
  const [guard, ...others] = pageOf('house').blockOf('restore')
  const script = guard?.replace('/var/lib/postgresql/15/main/', `${folder}/`)
  const run = () => spawnSync('sh', ['-c', `${script}`]).status
  expect(others[0]).toMatch(/^systemctl stop/)
  expect(run()).toBe(0)
  writeFileSync(join(folder, 'standby.signal'), '')
  expect(run()).toBe(1)
})

it('the page for three lets the last one lead while the product is stopped, and brings a database of then up to date', () => {
  const { page, blockOf } = pageOf('safe')
  expect(blockOf('two-lost')[0]).toMatch(/^systemctl stop sum28@api sum28@engine sum28@jobs/)
  const rest = page.slice(page.indexOf('```sh two-lost\n'))
  expect(rest.indexOf('after_restore')).toBeLessThan(rest.indexOf('```sh two-lost-start\n'))
  const told = rest.slice(rest.indexOf('```sh two-lost-start\n'), rest.indexOf('\n## '))
  expect(told).toMatch(/`restore-check`.*`note-restore`.*#restoring-to-a-minute/s)
  // Followed again, the block before it needs a database that is stopped.
  expect(blockOf('restore-patroni')[0]).toContain('-m fast stop')
  const starts = blockOf('restore-start')
  const first = starts.indexOf('systemctl start sum28@migrate')
  expect(first).toBeGreaterThan(0)
  expect(starts.findIndex((line) => line.includes('note-restore'))).toBeGreaterThan(first)
})
