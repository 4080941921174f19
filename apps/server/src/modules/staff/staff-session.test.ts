import { describe, expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { staffFinder, startStaffSession } from './staff-session.ts'
import { endSession } from './staff-store.ts'

const BEGUN = Date.UTC(2026, 10, 20, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

it('a session of staff goes on while calls come within fifteen minutes, and ends alone at the logout', async () => {
  const database = await createTestDatabase()
  const { db, freezeClock } = database
  await freezeClock(BEGUN)
  const [first, second] = [await staffToken(database), await staffToken(database)]
  const visit = (token: string) => staffFinder(db)(token, { attended: true })
  for (const minutes of [14, 28]) {
    await freezeClock(BEGUN + minutes * MINUTE)
    for (const token of [first, second]) expect(await visit(token)).toHaveProperty('role')
  }
  await endSession(db, { tokenHash: hashSecret(first), address: '192.0.2.1' })
  expect(await visit(first)).toEqual({ refused: 'session_unknown' })
  expect(await visit(second)).toHaveProperty('role')
  await freezeClock(BEGUN + 28 * MINUTE + 15 * MINUTE + 1)
  expect(await visit(second)).toEqual({ refused: 'session_expired' })
})

it('a session of staff ends no later because it was used on a clock that was ahead', async () => {
  const database = await createTestDatabase()
  await database.freezeClock(BEGUN + HOUR)
  const token = await staffToken(database)
  await database.freezeClock(BEGUN)
  await staffFinder(database.db)(token, { attended: true })
  await database.freezeClock(BEGUN + 15 * MINUTE + 1)
  expect(await staffFinder(database.db)(token, { attended: true })).toEqual({
    refused: 'session_expired',
  })
})

describe('when a member’s session ends by itself, to the millisecond', () => {
  /** The database's word about a member who acts as an owner: 'may', or why he may not. */
  async function wordOf(by: Queryable, token: string): Promise<string> {
    return by.query(`select staff.acting($1, 'owner', 'finance')`, [token]).then(
      () => 'may',
      (error: { code?: string; message: string }) => {
        if (error.code !== 'STAFF') throw error
        return error.message
      },
    )
  }

  /** An owner whose session has just begun. */
  async function stage() {
    const database = await createTestDatabase()
    await database.freezeClock(BEGUN)
    const token = await staffToken(database)
    const { owner, freezeClock } = database
    return {
      database,
      owner,
      token,
      freezeClock,
      word: () => wordOf(owner, token),
      seenAt: (at: number) => owner.query('update staff.session set seen_at = $1', [new Date(at)]),
    }
  }

  it('a session lasts fifteen minutes after the last call, and twelve hours after it began', async () => {
    const { word, seenAt, freezeClock } = await stage()
    await freezeClock(BEGUN + 15 * MINUTE)
    expect(await word()).toBe('may')
    await freezeClock(BEGUN + 15 * MINUTE + 1)
    expect(await word()).toBe('session_expired')
    await seenAt(BEGUN + 1)
    expect(await word()).toBe('may')
    await seenAt(BEGUN + 12 * HOUR)
    await freezeClock(BEGUN + 12 * HOUR)
    expect(await word()).toBe('may')
    await freezeClock(BEGUN + 12 * HOUR + 1)
    expect(await word()).toBe('session_expired')
  })

  it('a member’s role stays what it is until his action is over', async () => {
    const { database, owner, token } = await stage()
    const free = 'select from staff.member for no key update skip locked'
    await owner.transaction(async (tx) => {
      expect(await wordOf(tx, token)).toBe('may')
      expect(await database.owner.query(free)).toEqual([])
    })
    expect(await database.owner.query(free)).toHaveLength(1)
  })

  it('an action waits for a change of the member that is not committed yet, and sees it', async () => {
    const { database, word } = await stage()
    const late = await answerAfter(database, {
      first: (tx) => tx.query(`update staff.member set role = 'support'`),
      second: word,
    })
    expect(late).toBe('forbidden')
  })
})

describe('the log of sessions', () => {
  const NOW = Date.UTC(2026, 10, 20, 12)
  const ADDRESS = '192.0.2.1'

  async function stage() {
    const database = await createTestDatabase()
    await database.freezeClock(NOW)
    return { ...database, token: await staffToken(database, { role: 'support' }) }
  }

  const logged = ({ owner }: TestDatabase) =>
    owner.query(
      'select action, subject, staff_id, session_id, details from staff.audit order by id',
    )

  const ends = ({ owner }: TestDatabase) =>
    owner.query('select ended_at, ended_by from staff.session order by id')

  it('a session begins with a row of the log that names it, and is stored only as the hash of its token', async () => {
    const here = await stage()
    const token = await here.db.transaction((tx) =>
      startStaffSession(tx, { staffId: 1, address: ADDRESS }),
    )
    const stored = 'select token_hash from staff.session where id = 2'
    expect(await here.owner.value(stored)).toEqual(hashSecret(token))
    expect(hashSecret(token)).not.toEqual(Buffer.from(token, 'base64url'))
    const details = { address: ADDRESS }
    expect(await logged(here)).toEqual([
      { action: 'signed_in', subject: 'staff:1', staff_id: 1, session_id: 2n, details },
    ])
  })

  it('a session ends once, and the log says from where', async () => {
    const here = await stage()
    const { db, token } = here
    const leave = (of = token) => endSession(db, { tokenHash: hashSecret(of), address: ADDRESS })
    expect(await leave()).toBe(true)
    const first = [await ends(here), await logged(here)]
    const details = { address: ADDRESS }
    expect(first).toEqual([
      [{ ended_at: NOW, ended_by: 'logout' }],
      [{ action: 'signed_out', subject: 'staff:1', staff_id: 1, session_id: 1n, details }],
    ])
    await here.freezeClock(NOW + 1_000)
    expect(await leave()).toBe(false)
    expect(await leave('of nobody')).toBe(false)
    expect([await ends(here), await logged(here)]).toEqual(first)
  })

  it('a member ends another session of his own, and the log names both', async () => {
    const here = await stage()
    const name = await here.owner.value<string>('select name from staff.member')
    await staffToken(here, { name })
    const end = (id: number) => callFunction(here.db, 'staff.end_own_session', id, here.token)
    expect(await end(2)).toBe('closed')
    const first = [await ends(here), await logged(here)]
    const details = { session: 2 }
    expect(first).toEqual([
      [
        { ended_at: null, ended_by: null },
        { ended_at: NOW, ended_by: 'logout' },
      ],
      [{ action: 'session_ended', subject: 'staff:1', staff_id: 1, session_id: 1n, details }],
    ])
    await here.freezeClock(NOW + 1_000)
    expect(await end(2)).toBe('not_found')
    expect([await ends(here), await logged(here)]).toEqual(first)
  })
})
