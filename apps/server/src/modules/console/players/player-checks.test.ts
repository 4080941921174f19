/** What the database checks, waits for and writes when staff act on a player, or reset what he has lost. */
import { beforeEach, describe, expect, it } from 'vitest'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { startSession } from '#src/modules/accounts/session.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions, expectSignedOut } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { addPayMethod } from '#testing/people/cash-desk.ts'
import { confirm, end, propose } from '#testing/people/proposals.ts'
import { staffToken } from '#testing/people/staff.ts'

const BEFORE = Date.UTC(2026, 10, 20, 11)
const NOW = Date.UTC(2026, 10, 20, 12)
const LATER = NOW + 60_000
const LONG_AGO = new Date(Date.UTC(2026, 9, 1))

/** A person who set a security code and a second factor long ago, and two members of staff. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const [ann, bob] = [
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'support' }),
  ]
  const { db, owner } = database
  const calls = {
    add_note: (id: number) => [id, 'said', bob],
    add_contact: (id: number) => [id, '2026-11-19', 'phone', 'said', bob],
    end_sessions: (id: number) => [id, bob],
    require_password: (id: number) => [id, bob],
  }
  const setUp = (id: number) =>
    owner.query(
      `with code as (insert into accounts.security_code (player_id, code_hash, changed_at) values ($1, 'x', $2))
       insert into accounts.second_factor (player_id, on_since) values ($1, $2)`,
      [id, LONG_AGO],
    )
  const playerId = await addPlayer(database)
  await setUp(playerId)
  return {
    ...database,
    database,
    playerId,
    setUp,
    act: (call: keyof typeof calls, id = playerId) =>
      callFunction<string>(db, `console_players.${call}`, ...calls[call](id)),
    requiredAt: () =>
      owner.value<number | null>(
        'select password_required_at as at from accounts.player where id = $1',
        [playerId],
      ),
    propose: (kind: (typeof RESETS)[number], id = playerId) =>
      propose(db, { kind, subject: `player:${id}`, session: bob }),
    confirm: () => confirm(db, 1, ann),
    end: () => end(db, 1, bob),
    close: (tx: Queryable = owner) =>
      tx.query(`update accounts.player set state = 'closed', closed_at = app.now() where id = $1`, [
        playerId,
      ]),
  }
}

const RESETS = ['code_reset', 'factor_reset', 'address_reset'] as const

let here: Awaited<ReturnType<typeof stage>>
beforeEach(async () => {
  here = await stage()
})

const SIGNED_OUT = { at: NOW, by: 'staff', before: BEFORE }

describe('a person', () => {
  it('is signed out of his live sessions and devices, and nobody else is', async () => {
    await addSessions(here.database, here.playerId, BEFORE)
    expect(await here.act('end_sessions')).toBe('closed')
    await expectSignedOut(here, SIGNED_OUT)
    expect(await here.requiredAt()).toBeNull()
  })

  it('must set a new password from the first demand on, and is signed out by each', async () => {
    expect(await here.act('require_password')).toBe('required')
    await addSessions(here.database, here.playerId, BEFORE)
    expect(await here.act('require_password')).toBe('required')
    await expectSignedOut(here, SIGNED_OUT)
    await here.freezeClock(LATER)
    expect(await here.act('require_password')).toBe('required')
    expect(await here.requiredAt()).toBe(NOW)
  })

  it('is written about, for ever', async () => {
    const { owner, playerId } = here
    expect([await here.act('add_note'), await here.act('add_contact')]).toEqual(['set', 'set'])
    const written = { player_id: playerId, text: 'said', written_by: 2, written_at: NOW }
    const [note] = await owner.query('select * from console_players.note')
    expect(note).toMatchObject(written)
    const [contact] = await owner.query('select *, day::text from console_players.contact')
    expect(contact).toMatchObject({ ...written, day: '2026-11-19', channel: 'phone' })
    await expect(owner.query('delete from console_players.note')).rejects.toThrow('is refused')
  })

  it('needs an address and an open account to set a new password', async () => {
    const { owner, playerId } = here
    await owner.query(
      'update accounts.player set group_id = 2, email = null, email_key = null where id = $1',
      [playerId],
    )
    expect(await here.act('require_password')).toBe('email_missing')
    await here.close()
    expect(await here.act('require_password')).toBe('account_closed')
    expect(await here.requiredAt()).toBeNull()
  })
})

it('on a robot, or under an unknown number, nobody acts', async () => {
  const robot = await addPlayer(here.database, { u: 0, robot: true })
  for (const id of [robot, 999_999]) {
    for (const call of ['add_note', 'add_contact', 'end_sessions', 'require_password'] as const) {
      expect(await here.act(call, id), `${call} ${id}`).toBe('not_found')
    }
  }
})

it.each(['end_sessions', 'require_password'] as const)(
  'a sign-in that is not committed yet is waited for, and its session ended: %s',
  async (call) => {
    const { playerId } = here
    const signIn = (tx: Transaction) =>
      startSession(tx, { playerId, passwordHash: null, netAtStart: 0n })
    await answerAfter(here, { first: signIn, second: () => here.act(call) })
    const ended = await here.owner.query('select ended_at, ended_by from accounts.session')
    expect(ended).toEqual([{ ended_at: NOW, ended_by: 'staff' }])
  },
)

it.each([
  ['no new password demanded', () => here.act('require_password')],
  ['no reset of his code proposed', () => here.propose('code_reset')],
])('a closing that is not committed yet is waited for, and %s', async (_what, second) => {
  expect(await answerAfter(here, { first: here.close, second })).toBe('account_closed')
  expect(await here.requiredAt()).toBeNull()
})

it('a code or factor is reset of a person who has it, and no address of one who never had any', async () => {
  const [bare, robot] = [
    await addPlayer(here.database),
    await addPlayer(here.database, { u: 0, robot: true }),
  ]
  await here.owner.query(
    'update accounts.player set group_id = 2, email = null, email_key = null where id = $1',
    [bare],
  )
  await here.setUp(robot)
  const answers = []
  for (const kind of RESETS) answers.push(await here.propose(kind, bare))
  expect(answers).toEqual(['code_not_set', 'factor_off', 'email_missing'])
  for (const kind of RESETS)
    for (const id of [robot, 999_999]) expect(await here.propose(kind, id), kind).toBe('not_found')
})

it.each(RESETS)('of a closed account nothing is proposed or confirmed: %s', async (kind) => {
  expect(await here.propose(kind)).toBe('proposed')
  await here.close()
  expect(await here.confirm()).toBe('account_closed')
  await here.end()
  expect(await here.propose(kind)).toBe('account_closed')
})

it.each<[string, (tx: Transaction) => Promise<void>]>([
  [
    'a change',
    async (tx) => {
      // It holds the player before the code.
      await tx.query('select from accounts.player where id = $1 for no key update', [here.playerId])
      await tx.query('update accounts.security_code set changed_at = app.now()')
    },
  ],
  [
    'a withdrawal',
    async (tx) => {
      const id = await addPayMethod(here.database, here.playerId)
      const rows = await tx.query(
        `select reason from withdrawals.request($1, $2, 100000000, '2026-11-20', null, null)`,
        [here.playerId, id],
      )
      expect(rows).toEqual([{ reason: null }])
    },
  ],
])(
  '%s by the code that is not committed yet is waited for, and the code stays',
  async (_, first) => {
    await here.propose('code_reset')
    await here.database.freezeClock(LATER)
    expect(await answerAfter(here, { first, second: here.confirm })).toBe('code_known')
    expect(await here.owner.query('select from accounts.security_code')).toHaveLength(1)
  },
)

const PROPOSED_AT = '2026-11-20 12:00:00.001Z'

it.each([
  ['before the proposal', '2026-11-20 12:00Z', false],
  ['at the very moment of the proposal', PROPOSED_AT, false],
  ['after the proposal', '2026-11-20 12:00:00.002Z', true],
])('a code that was changed, or used for a withdrawal, %s', async (_when, at, known) => {
  const { owner } = here
  await owner.query('update accounts.security_code set changed_at = $1', [at])
  const withdrew = await addPlayer(here.database)
  await owner.query(
    `insert into withdrawals.withdrawal (player_id, id, pay_method_id, amount, booked_on, cash_after, requested_at)
     values ($1, 1, $2, 5000000, '2026-11-20', 0, $3)`,
    [withdrew, await addPayMethod(here.database, withdrew), at],
  )
  for (const playerId of [here.playerId, withdrew]) {
    const knows = 'select console_players.knows_code($1, $2) as known'
    expect(await owner.query(knows, [playerId, PROPOSED_AT])).toEqual([{ known }])
  }
})
