import { listAuditRows } from '@sum28/contract/staff-audit-routes.ts'
import { staffLogout } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { callFunction, only, type Queryable } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import {
  createTestDatabase,
  stopClock,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { addStaff, type StaffSession, signInStaff, staffToken } from '#testing/people/staff.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { startStaffSession } from './staff-session.ts'
import { endSession } from './staff-store.ts'

const app = useWorkersApp()

const visit = ({ token }: StaffSession) => app().call(listAuditRows, { limit: 1 }, { token })
const REFUSED = {
  unknown: { http: 401, code: 50008, data: { reason: 'session_unknown' } },
  expired: { http: 401, code: 50014, data: { reason: 'session_expired' } },
}

/** Lets so many seconds pass since the last call of a session. */
async function age({ token }: StaffSession, seconds: number) {
  await app().database.owner.query(
    `update staff.session set seen_at = seen_at - make_interval(secs => $2) where token_hash = $1`,
    [hashSecret(token), seconds],
  )
}

describe('a session of staff', () => {
  it('is stored only as the hash of its token', async () => {
    const { token } = await addStaff(app(), 'auditor')
    const rows = await app().database.owner.query<{ token_hash: Buffer }>(
      'select token_hash from staff.session',
    )
    const stored = rows.map(({ token_hash }) => token_hash.toString('hex'))
    expect(stored).toContain(hashSecret(token).toString('hex'))
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('ends at the logout, and another of the same member does not', async () => {
    const first = await addStaff(app(), 'auditor')
    const second = await signInStaff(app(), first.login)
    expect(await app().call(staffLogout, {}, first)).toMatchObject({ code: 1, data: null })
    expect(await visit(first)).toMatchObject(REFUSED.unknown)
    expect(await app().call(staffLogout, {}, first)).toMatchObject(REFUSED.unknown)
    expect(await visit(second)).toMatchObject({ code: 1 })
  })

  it('ends after fifteen minutes without a call', async () => {
    await stopClock(app().database)
    const member = await addStaff(app(), 'auditor')
    await age(member, 895)
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, 895)
    expect(await visit(member)).toMatchObject({ code: 1 })
    await age(member, 901)
    expect(await visit(member)).toMatchObject(REFUSED.expired)
  })
})

describe('when a member’s session ends by itself, to the millisecond', () => {
  const BEGUN = Date.UTC(2026, 10, 20, 8)
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE

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
      ...{ database, owner, token, freezeClock },
      word: () => wordOf(owner, token),
      seenAt: (at: number) => owner.query('update staff.session set seen_at = $1', [new Date(at)]),
    }
  }

  it('a session lasts fifteen minutes after the last call, whenever it began', async () => {
    const { word, seenAt, freezeClock } = await stage()
    await freezeClock(BEGUN + 15 * MINUTE)
    expect(await word()).toBe('may')
    await freezeClock(BEGUN + 15 * MINUTE + 1)
    expect(await word()).toBe('session_expired')
    await seenAt(BEGUN + 1)
    expect(await word()).toBe('may')
  })

  it('a session lasts twelve hours, however late the last call was', async () => {
    const { word, seenAt, freezeClock } = await stage()
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

  it('a session begins with a row of the log that names it', async () => {
    const here = await stage()
    await here.db.transaction((tx) => startStaffSession(tx, { staffId: 1, address: ADDRESS }))
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
    const { name } = only(await here.owner.query<{ name: string }>('select name from staff.member'))
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

  it('a member ends no session of another, and none that is unknown', async () => {
    const here = await stage()
    await staffToken(here)
    const before = await ends(here)
    for (const id of [2, 999]) {
      const answer = await callFunction(here.db, 'staff.end_own_session', id, here.token)
      expect(answer).toBe('not_found')
    }
    expect(await ends(here)).toEqual(before)
    expect(await logged(here)).toEqual([])
  })
})
