/** What the database checks, waits for and writes when staff act on a player. */
import { beforeEach, describe, expect, it } from 'vitest'
import { callFunction, only, type Transaction } from '#src/db/database.ts'
import { startSession } from '#src/modules/accounts/session.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { addSessions } from '#testing/database/stored-rows.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

const BEFORE = Date.UTC(2026, 10, 20, 11)
const NOW = Date.UTC(2026, 10, 20, 12)
const LATER = NOW + 60_000

/** A person, and the calls of a member of staff who acts on him. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  const session = await staffToken(database, { role: 'support' })
  const playerId = await addPlayer(database)
  const calls = {
    add_note: (id: number, by: string) => [id, 'said', by],
    add_contact: (id: number, by: string) => [id, '2026-11-19', 'phone', 'said', by],
    end_sessions: (id: number, by: string) => [id, by],
    require_password: (id: number, by: string) => [id, by],
  }
  return {
    ...{ ...database, database, playerId },
    act: (call: keyof typeof calls, { id = playerId, by = session } = {}) =>
      callFunction<string>(database.db, `console_players.${call}`, ...calls[call](id, by)),
    requiredAt: async () =>
      only(
        await database.owner.query<{ at: number | null }>(
          'select password_required_at as at from accounts.player where id = $1',
          [playerId],
        ),
      ).at,
  }
}

let here: Awaited<ReturnType<typeof stage>>
beforeEach(async () => {
  here = await stage()
})

const SIGNED_OUT = {
  sessions: [
    { ended_at: NOW, ended_by: 'staff' },
    { ended_at: BEFORE, ended_by: 'logout' },
    { ended_at: null, ended_by: null },
  ],
  devices: [NOW, NOW, BEFORE, null],
}

async function sessions() {
  const devices = await here.owner.query<{ at: number | null }>(
    'select ended_at as at from accounts.remembered_device order by secret_hash',
  )
  return {
    sessions: await here.owner.query(
      'select ended_at, ended_by from accounts.session order by token_hash',
    ),
    devices: devices.map(({ at }) => at),
  }
}

describe('a person', () => {
  it('is signed out of his live sessions and devices, and nobody else is', async () => {
    await addSessions(here.database, here.playerId, BEFORE)
    expect(await here.act('end_sessions')).toBe('closed')
    expect(await sessions()).toEqual(SIGNED_OUT)
    expect(await here.requiredAt()).toBeNull()
  })

  it('must set a new password from the first demand on, and is signed out by each', async () => {
    expect(await here.act('require_password')).toBe('required')
    await addSessions(here.database, here.playerId, BEFORE)
    expect(await here.act('require_password')).toBe('required')
    expect(await sessions()).toEqual(SIGNED_OUT)
    await here.freezeClock(LATER)
    expect(await here.act('require_password')).toBe('required')
    expect(await here.requiredAt()).toBe(NOW)
  })

  it('is written about', async () => {
    expect(await here.act('add_note')).toBe('set')
    expect(await here.act('add_contact')).toBe('set')
    const written = { player_id: here.playerId, text: 'said', written_by: 1, written_at: NOW }
    const columns = 'player_id, text, written_by, written_at'
    expect(await here.owner.query(`select ${columns} from console_players.note`)).toEqual([written])
    expect(
      await here.owner.query(`select ${columns}, day::text, channel from console_players.contact`),
    ).toEqual([{ ...written, day: '2026-11-19', channel: 'phone' }])
  })

  it('is acted on by who may, and by no other role', async () => {
    await addSessions(here.database, here.playerId, BEFORE)
    const before = await sessions()
    const by = await staffToken(here, { role: 'auditor' })
    for (const call of ['add_note', 'add_contact', 'end_sessions', 'require_password'] as const) {
      await expect(here.act(call, { by }), call).rejects.toThrow('forbidden')
    }
    expect(await sessions()).toEqual(before)
    expect(await here.requiredAt()).toBeNull()
  })

  it('needs an address and an open account to set a new password', async () => {
    const { owner, playerId } = here
    await owner.query(
      'update accounts.player set group_id = 2, email = null, email_key = null where id = $1',
      [playerId],
    )
    expect(await here.act('require_password')).toBe('email_missing')
    await owner.query(
      `update accounts.player set state = 'closed', closed_at = app.now() where id = $1`,
      [playerId],
    )
    expect(await here.act('require_password')).toBe('account_closed')
    expect(await here.requiredAt()).toBeNull()
  })
})

it('on a robot, or under an unknown number, nobody acts', async () => {
  const robot = await addPlayer(here.database, { u: 0, robot: true })
  for (const id of [robot, 999_999]) {
    for (const call of ['add_note', 'add_contact', 'end_sessions', 'require_password'] as const) {
      expect(await here.act(call, { id }), `${call} ${id}`).toBe('not_found')
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
    const { sessions: ended } = await sessions()
    expect(ended).toEqual([{ ended_at: NOW, ended_by: 'staff' }])
  },
)

it('a closing that is not committed yet is waited for, and no new password demanded', async () => {
  const close = (tx: Transaction) =>
    tx.query(`update accounts.player set state = 'closed', closed_at = app.now() where id = $1`, [
      here.playerId,
    ])
  const second = () => here.act('require_password')
  expect(await answerAfter(here, { first: close, second })).toBe('account_closed')
  expect(await here.requiredAt()).toBeNull()
})
