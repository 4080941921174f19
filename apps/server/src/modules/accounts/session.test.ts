import { login, logout, userInfo } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { stopClock } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import {
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { ROWS_OF_PLAYER } from './keep-newest.ts'
import { doubtfulSessions, hashSecret, sessionFinder } from './session.ts'

const app = useWorkersApp()

const visit = (token: string) => app().call(userInfo, {}, { token })
const REFUSED = {
  unknown: { http: 401, code: 50008, data: { reason: 'session_unknown' } },
  replaced: { http: 401, code: 50012, data: { reason: 'session_replaced' } },
  expired: { http: 401, code: 50014, data: { reason: 'session_expired' } },
}

/** Ages a session by this many seconds. */
async function age(
  { token }: TestMember,
  { begun = 0, seen = 0 }: { begun?: number; seen?: number },
) {
  await app().database.owner.query(
    `update accounts.session set created_at = created_at - make_interval(secs => $2),
       seen_at = seen_at - make_interval(secs => $3) where token_hash = $1`,
    [hashSecret(token), begun, seen],
  )
}

describe('a session', () => {
  it('requires a known token', async () => {
    const missing = { http: 401, code: 401, data: { reason: 'token_missing' } }
    expect(await app().call(userInfo, {})).toMatchObject(missing)
    expect(await visit('')).toMatchObject(missing)
    expect(await visit('made-up')).toMatchObject(REFUSED.unknown)
    expect(await visit('x'.repeat(4_000))).toMatchObject(REFUSED.unknown)
  })

  it('has a token of 256 random bits, of which only the hash is stored', async () => {
    const { token } = await registerMember(app(), 'tokenised')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await app().database.owner.query<{ token_hash: Buffer }>(
      'select token_hash from accounts.session',
    )
    const stored = rows.map(({ token_hash }) => token_hash.toString('hex'))
    expect(stored).toContain(hashSecret(token).toString('hex'))
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('ends at the logout, and others of the same account do not', async () => {
    const member = await registerMember(app(), 'two_devices')
    const account = { account: member.username, password: TEST_PASSWORD }
    const other = (await app().call(login, account)).data.userinfo.token
    expect(await app().call(logout, {}, member)).toMatchObject({ code: 1, data: null })
    expect(await visit(member.token)).toMatchObject(REFUSED.unknown)
    expect(await app().call(logout, {}, member)).toMatchObject(REFUSED.unknown)
    expect(await visit(other)).toMatchObject({ code: 1 })
  })

  it('ends when the account is frozen', async () => {
    const member = await registerMember(app(), 'frozen_now')
    await changePlayer(app().database, member.id, `state = 'frozen'`)
    expect(await visit(member.token)).toMatchObject(REFUSED.replaced)
  })

  it('ends after thirty minutes without a call', async () => {
    await stopClock(app().database)
    const member = await registerMember(app(), 'idle')
    await age(member, { seen: 1_795 })
    expect(await visit(member.token)).toMatchObject({ code: 1 })
    await age(member, { seen: 1_795 })
    expect(await visit(member.token)).toMatchObject({ code: 1 })
    await age(member, { seen: 1_801 })
    expect(await visit(member.token)).toMatchObject(REFUSED.expired)
  })

  it('ends after twenty-four hours, however busy', async () => {
    await stopClock(app().database)
    const member = await registerMember(app(), 'busy')
    await age(member, { begun: 86_390 })
    expect(await visit(member.token)).toMatchObject({ code: 1 })
    await age(member, { begun: 11 })
    expect(await visit(member.token)).toMatchObject(REFUSED.expired)
  })
})

it('sessions in doubt are those that have ended, are unknown, or that a call has to renew', async () => {
  await stopClock(app().database)
  const names = ['in_use', 'left', 'iced', 'quiet', 'aged'] as const
  const [inUse, left, iced, quiet, aged] = await Promise.all(
    names.map((name) => registerMember(app(), name)),
  )
  if (!inUse || !left || !iced || !quiet || !aged) throw new Error('not all were registered')
  await app().call(logout, {}, left)
  const { owner } = app().database
  await changePlayer({ owner }, iced.id, `state = 'frozen'`)
  await age(inUse, { seen: 55 })
  await age(quiet, { seen: 65 })
  await age(aged, { begun: 86_405 })
  const hashes = [inUse, left, iced, quiet, aged].map(({ token }) => hashSecret(token))
  const doubtful = await doubtfulSessions(owner, [...hashes, hashSecret('made-up')])
  const hex = (some: readonly Buffer[]) => some.map((hash) => hash.toString('hex')).sort()
  expect(hex(doubtful)).toEqual(hex([...hashes.slice(1), hashSecret('made-up')]))
})

describe('sessions that have not been used for more than a minute', () => {
  const names = (prefix: string) => Array.from({ length: 6 }, (_, index) => `${prefix}_${index}`)
  const quietMembers = async (prefix: string) => {
    const members = await Promise.all(names(prefix).map((name) => registerMember(app(), name)))
    await Promise.all(members.map((member) => age(member, { seen: 65 })))
    return members
  }
  /** The transaction that wrote each session last, and its seconds since it was used. */
  const writtenBy = async (members: readonly TestMember[]) =>
    await app().database.owner.query<{ transaction: string; idle: number }>(
      `select xmin::text as transaction, extract(epoch from app.now() - seen_at)::integer as idle
       from accounts.session where player_id = any ($1)`,
      [members.map(({ id }) => id)],
    )

  it('are noted as used by one write, if their calls come together', async () => {
    const members = await quietMembers('together')
    const find = sessionFinder(app().database.db)
    await Promise.all(members.map(({ token }) => find(token)))
    const rows = await writtenBy(members)
    expect(rows).toHaveLength(6)
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1)
    expect(rows.filter(({ idle }) => idle >= 60)).toEqual([])
  })

  it('do not wait for one that another transaction has locked', async () => {
    const members = await quietMembers('locked_one')
    const [first] = members
    if (!first) throw new Error('nobody was registered')
    const { owner, db } = app().database
    await owner.transaction(async (tx) => {
      await tx.query('select from accounts.session where token_hash = $1 for update', [
        hashSecret(first.token),
      ])
      const find = sessionFinder(db)
      const sessions = await Promise.all(members.map(({ token }) => find(token)))
      expect(sessions).toMatchObject(members.map(({ id }) => ({ playerId: id })))
    })
    const rows = await writtenBy(members)
    expect(rows.filter(({ idle }) => idle >= 60)).toHaveLength(1)
  })
})

it('a player has his newest thousand sessions, remembered devices and networks, so that all of them end at once', async () => {
  const member = await registerMember(app())
  const { owner } = app().database
  await owner.query('delete from accounts.session where player_id = $1', [member.id])
  await owner.query(
    `with many as (
       select sha256(('one of many ' || $1 || n)::bytea) as hash, app.now() - n * interval '1 minute' as at
       from generate_series(1, $2::integer) n),
     session as (
       insert into accounts.session (token_hash, player_id, net_at_start, created_at)
       select hash, $1::integer, 0, at from many),
     device as (
       insert into accounts.remembered_device (secret_hash, player_id, family, expires_at, created_at)
       select hash, $1::integer, gen_random_uuid(), 'infinity', at from many)
     insert into accounts.known_network (player_id, network_hash, last_at) select $1::integer, hash, at from many`,
    [member.id, ROWS_OF_PLAYER + 50],
  )
  const account = { account: member.username, password: TEST_PASSWORD, remember: true }
  const { token } = (await app().call(login, account)).data.userinfo
  expect(await visit(token)).toMatchObject({ code: 1 })
  const tables = {
    session: 'created_at',
    remembered_device: 'created_at',
    known_network: 'last_at',
  }
  for (const [table, age] of Object.entries(tables)) {
    const left = await owner.one(
      `select count(*)::integer as rows, round(extract(epoch from max(${age}) - min(${age})) / 60)::integer as minutes
       from accounts.${table} where player_id = $1`,
      [member.id],
    )
    // The new one and those of as many minutes as are left.
    expect({ table, ...left }).toEqual({ table, rows: ROWS_OF_PLAYER, minutes: ROWS_OF_PLAYER - 1 })
  }
})
