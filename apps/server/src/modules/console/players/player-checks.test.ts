/** What the database checks, waits for and writes when staff act on a player, or reset his security code. */
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

/** A person who set a security code long ago, and two members of staff. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const [ann, bob] = [
    await staffToken(database, { role: 'finance' }),
    await staffToken(database, { role: 'support' }),
  ]
  const { db, owner } = database
  const playerId = await addPlayer(database)
  const calls = {
    add_note: (id: number) => [id, 'said', bob],
    add_contact: (id: number) => [id, '2026-11-19', 'phone', 'said', bob],
    end_sessions: (id: number) => [id, bob],
    require_password: (id: number) => [id, bob],
  }
  const setCode = (id: number) =>
    owner.query(
      `insert into accounts.security_code (player_id, code_hash, changed_at) values ($1, 'x', $2)`,
      [id, LONG_AGO],
    )
  await setCode(playerId)
  return {
    ...database,
    database,
    playerId,
    ann,
    bob,
    setCode,
    act: (call: keyof typeof calls, id = playerId) =>
      callFunction<string>(db, `console_players.${call}`, ...calls[call](id)),
    requiredAt: async () =>
      await owner.value<number | null>(
        'select password_required_at as at from accounts.player where id = $1',
        [playerId],
      ),
    propose: (id = playerId, session = bob) =>
      propose(db, { kind: 'code_reset', subject: `player:${id}`, session }),
    confirm: () => confirm(db, 1, ann),
    end: () => end(db, 1, bob),
    close: (tx: Queryable = owner) =>
      tx.query(`update accounts.player set state = 'closed', closed_at = app.now() where id = $1`, [
        playerId,
      ]),
    codes: async () =>
      await owner.value<number>(
        'select count(*)::integer from accounts.security_code where player_id = $1',
        [playerId],
      ),
  }
}

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

  it('is written about', async () => {
    expect(await here.act('add_note')).toBe('set')
    expect(await here.act('add_contact')).toBe('set')
    const written = { player_id: here.playerId, text: 'said', written_by: 2, written_at: NOW }
    const columns = 'player_id, text, written_by, written_at'
    expect(await here.owner.query(`select ${columns} from console_players.note`)).toEqual([written])
    expect(
      await here.owner.query(`select ${columns}, day::text, channel from console_players.contact`),
    ).toEqual([{ ...written, day: '2026-11-19', channel: 'phone' }])
    await expect(here.owner.query('delete from console_players.note')).rejects.toThrow('is refused')
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
  ['no reset of his code proposed', () => here.propose()],
])('a closing that is not committed yet is waited for, and %s', async (_what, second) => {
  expect(await answerAfter(here, { first: here.close, second })).toBe('account_closed')
  expect(await here.requiredAt()).toBeNull()
})

describe('the reset of a code', () => {
  it('is proposed once at a time, of a person who has a code', async () => {
    const [codeless, robot] = [
      await addPlayer(here.database),
      await addPlayer(here.database, { u: 0, robot: true }),
    ]
    await here.setCode(robot)
    expect(await here.propose(codeless)).toBe('code_not_set')
    for (const id of [robot, 999_999]) expect(await here.propose(id)).toBe('not_found')
    expect(await here.propose()).toBe('proposed')
    expect(await here.propose(here.playerId, here.ann)).toBe('already_proposed')
    expect(await here.owner.query('select player_id, state from staff.proposal')).toEqual([
      { player_id: here.playerId, state: 'proposed' },
    ])
    await here.end()
    expect(await here.propose()).toBe('proposed')
  })

  it('of a closed account is neither proposed nor confirmed', async () => {
    await here.propose()
    await here.close()
    expect(await here.confirm()).toBe('account_closed')
    await here.end()
    expect(await here.propose()).toBe('account_closed')
    expect(await here.codes()).toBe(1)
  })
})

describe('what is not committed yet is waited for and seen:', () => {
  it('a change of the code, by a confirmation', async () => {
    await here.propose()
    await here.database.freezeClock(LATER)
    // A change holds the player before the code.
    const change = async (tx: Transaction) => {
      await tx.query('select from accounts.player where id = $1 for no key update', [here.playerId])
      await tx.query('update accounts.security_code set changed_at = app.now()')
    }
    expect(await answerAfter(here, { first: change, second: () => here.confirm() })).toBe(
      'code_known',
    )
  })

  it('a withdrawal, by a confirmation', async () => {
    await here.propose()
    await here.database.freezeClock(LATER)
    const id = await addPayMethod(here.database, here.playerId)
    const ask = async (tx: Transaction) => {
      const rows = await tx.query(
        `select reason from withdrawals.request($1, $2, 100000000, '2026-11-20', null, null)`,
        [here.playerId, id],
      )
      expect(rows).toEqual([{ reason: null }])
    }
    expect(await answerAfter(here, { first: ask, second: () => here.confirm() })).toBe('code_known')
  })
})

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
