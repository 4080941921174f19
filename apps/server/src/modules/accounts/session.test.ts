import { login, logout, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase, stopClock } from '#testing/database/test-database.ts'
import {
  addSeatedPlayer,
  addSeatedPlayers,
  changePlayer,
  type SeatedPlayer,
} from '#testing/people/seated-player.ts'
import { registerMember, TEST_PASSWORD, useWorkersApi } from '#testing/product/test-app.ts'
import { accountById } from './account-store.ts'
import { ROWS_OF_PLAYER } from './keep-newest.ts'
import { noteDevice } from './known-device.ts'
import { rememberDevice } from './remember-device.ts'
import { doubtfulSessions, hashSecret, sessionFinder, startSession } from './session.ts'
import { knowNetwork } from './sign-in-guard.ts'

const database = shareTestDatabase()

/** What a call with this token finds in a process that has seen none before. */
const visit = (token: string) => sessionFinder(database.db)(token)

const seat = () => addSeatedPlayer(database, { u: 0 })

/** Ages a session by this many seconds. */
async function age(
  { token }: SeatedPlayer,
  { begun = 0, seen = 0 }: { begun?: number; seen?: number },
) {
  await database.owner.query(
    `update accounts.session set created_at = created_at - make_interval(secs => $2),
       seen_at = seen_at - make_interval(secs => $3) where token_hash = $1`,
    [hashSecret(token), begun, seen],
  )
}

describe('a session', () => {
  const test = useWorkersApi()

  it('ends at the logout, and others of the same account do not', async () => {
    const call = (token: string) => test.call(userInfo, {}, { token })
    const unknown = { http: 401, code: 50008, data: { reason: 'session_unknown' } }
    const member = await registerMember(test, 'two_devices')
    const account = { account: member.username, password: TEST_PASSWORD }
    const other = (await test.call(login, account)).data.userinfo.token
    expect(await test.call(logout, {}, member)).toMatchObject({ code: 1, data: null })
    expect(await call(member.token)).toMatchObject(unknown)
    expect(await call(other)).toMatchObject({ code: 1 })
    expect(await call('x'.repeat(4_000))).toMatchObject(unknown)
    expect(await call('')).toMatchObject({ http: 401, data: { reason: 'token_missing' } })
  })

  it('has a token of 256 random bits, of which only the hash is stored', async () => {
    const { id, token } = await seat()
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const stored = 'select token_hash from accounts.session where player_id = $1'
    expect(await database.owner.query(stored, [id])).toEqual([{ token_hash: hashSecret(token) }])
    expect(hashSecret(token)).not.toEqual(Buffer.from(token, 'base64url'))
  })

  it('ends after thirty minutes without a call, and after twenty-four hours, however busy', async () => {
    await stopClock(database)
    const player = await seat()
    for (const _ of [1, 2]) {
      await age(player, { seen: 1_795 })
      expect(await visit(player.token)).toMatchObject({ playerId: player.id })
    }
    const busy = await seat()
    await age(busy, { begun: 86_390 })
    expect(await visit(busy.token)).toMatchObject({ playerId: busy.id })
    await age(player, { seen: 1_801 })
    await age(busy, { begun: 11 })
    for (const { token } of [player, busy])
      expect(await visit(token)).toEqual({ refused: 'session_expired' })
  })

  it('ends no later because it was used on a clock that was ahead', async () => {
    await stopClock(database)
    const player = await seat()
    await age(player, { seen: -3_600 })
    expect(await doubtfulSessions(database.owner, [hashSecret(player.token)])).toHaveLength(1)
    await visit(player.token)
    await age(player, { seen: 1_801 })
    expect(await visit(player.token)).toEqual({ refused: 'session_expired' })
  })
})

it('sessions in doubt are those that have ended, are unknown, or that a call has to renew', async () => {
  await stopClock(database)
  const { owner } = database
  const [inUse, left, iced] = [await seat(), await seat(), await seat()]
  const [quiet, aged] = [await seat(), await seat()]
  await owner.query(
    `update accounts.session set ended_at = app.now(), ended_by = 'logout' where player_id = $1`,
    [left.id],
  )
  await changePlayer({ owner }, iced.id, `state = 'frozen'`)
  await age(inUse, { seen: 55 })
  await age(quiet, { seen: 65 })
  await age(aged, { begun: 86_405 })
  const hashes = [inUse, left, iced, quiet, aged].map(({ token }) => hashSecret(token))
  const doubtful = await doubtfulSessions(owner, [...hashes, hashSecret('made-up')])
  const hex = (some: readonly Buffer[]) => some.map((hash) => hash.toString('hex')).sort()
  expect(hex(doubtful)).toEqual(hex([...hashes.slice(1), hashSecret('made-up')]))
})

it('quiet sessions are noted as used, without a wait for one that another transaction has locked', async () => {
  const players = await addSeatedPlayers(database, 3, { u: 0 })
  await Promise.all(players.map((player) => age(player, { seen: 65 })))
  const [first = await seat()] = players
  const { owner } = database
  await owner.transaction(async (tx) => {
    await tx.query('select from accounts.session where token_hash = $1 for update', [
      hashSecret(first.token),
    ])
    const find = sessionFinder(database.db)
    const sessions = await Promise.all(players.map(({ token }) => find(token)))
    expect(sessions).toMatchObject(players.map(({ id }) => ({ playerId: id })))
  })
  const quiet = await owner.column(
    `select player_id from accounts.session
     where player_id = any ($1) and seen_at < app.now() - interval '60 seconds'`,
    [players.map(({ id }) => id)],
  )
  expect(quiet).toEqual([first.id])
})

it('a player has his newest thousand sessions, remembered devices and networks, and hundred known devices, so that all of them end at once', async () => {
  const { db, owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  await owner.query(
    `with many as (
       select n, sha256(('one of many ' || $1 || n)::bytea) as hash, app.now() - n * interval '1 minute' as at
       from generate_series(1, $2::integer) n),
     session as (
       insert into accounts.session (token_hash, player_id, net_at_start, created_at)
       select hash, $1::integer, 0, at from many),
     device as (
       insert into accounts.remembered_device (secret_hash, player_id, family, expires_at, created_at)
       select hash, $1::integer, gen_random_uuid(), 'infinity', at from many),
     known as (
       insert into accounts.known_device (player_id, secret_hash, last_at)
       select $1::integer, hash, at from many where n <= 150)
     insert into accounts.known_network (player_id, network_hash, last_at) select $1::integer, hash, at from many`,
    [playerId, ROWS_OF_PLAYER + 50],
  )
  const account = await accountById(db, playerId)
  const token = await startSession(db, { playerId, passwordHash: null, netAtStart: 0n })
  if (!account || token === null) throw new Error('no session')
  await rememberDevice(db, account, { token, family: null })
  const device = { session: hashSecret(token), secret: 'x', device: '', url: '', tell: false }
  await noteDevice(db, { ...device, playerId })
  await knowNetwork(db, { playerId, networkHash: hashSecret('a network') })
  expect(await visit(token)).toMatchObject({ playerId })
  for (const [table, age, max] of [
    ['session', 'created_at', ROWS_OF_PLAYER],
    ['remembered_device', 'created_at', ROWS_OF_PLAYER],
    ['known_network', 'last_at', ROWS_OF_PLAYER],
    ['known_device', 'last_at', 100],
  ] as const) {
    const left = await owner.one(
      `select count(*)::integer as rows, round(extract(epoch from max(${age}) - min(${age})) / 60)::integer as minutes
       from accounts.${table} where player_id = $1`,
      [playerId],
    )
    // The new one and those of as many minutes as are left.
    expect({ table, ...left }).toEqual({ table, rows: max, minutes: max - 1 })
  }
})
