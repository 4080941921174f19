import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { staffFinder, startStaffSession } from './staff-session.ts'
import { endSession } from './staff-store.ts'

const { database, db, owner } = eachTestDatabase()

const BEGUN = Date.UTC(2026, 10, 20, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ADDRESS = '192.0.2.1'

const visit = (token: string) => staffFinder(db)(token, { attended: true })
const leave = (token: string) => endSession(db, { tokenHash: hashSecret(token), address: ADDRESS })

it('a session of staff goes on while calls come within fifteen minutes, and ends alone at the logout', async () => {
  const { freezeClock } = database
  await freezeClock(BEGUN)
  const [first, second] = [await staffToken(database), await staffToken(database)]
  for (const minutes of [15, 30]) {
    await freezeClock(BEGUN + minutes * MINUTE)
    for (const token of [first, second]) {
      expect(await wordOf(owner, token)).toBe('may')
      expect(await visit(token)).toHaveProperty('role')
    }
  }
  await leave(first)
  expect(await visit(first)).toEqual({ refused: 'session_unknown' })
  expect(await visit(second)).toHaveProperty('role')
  await freezeClock(BEGUN + 30 * MINUTE + 15 * MINUTE + 1)
  expect(await visit(second)).toEqual({ refused: 'session_expired' })
})

it('a session of staff ends after twelve hours, however often it is used', async () => {
  await database.freezeClock(BEGUN)
  const token = await staffToken(database)
  await database.freezeClock(BEGUN + 12 * HOUR)
  await owner.query('update staff.session set seen_at = app.now()')
  expect(await wordOf(owner, token)).toBe('may')
  expect(await visit(token)).toHaveProperty('role')
  await database.freezeClock(BEGUN + 12 * HOUR + 1)
  expect(await visit(token)).toEqual({ refused: 'session_expired' })
})

it('a session of staff ends no later because it was used on a clock that was ahead', async () => {
  await database.freezeClock(BEGUN + HOUR)
  const token = await staffToken(database)
  await database.freezeClock(BEGUN)
  await visit(token)
  await database.freezeClock(BEGUN + 15 * MINUTE + 1)
  expect(await visit(token)).toEqual({ refused: 'session_expired' })
})

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

// That an action waits for a change which is not committed yet: guarded-proposals.test.ts.
it('a member’s role stays what it is until his action is over', async () => {
  const token = await staffToken(database)
  const free = 'select from staff.member for no key update skip locked'
  await owner.transaction(async (tx) => {
    expect(await wordOf(tx, token)).toBe('may')
    expect(await owner.query(free)).toEqual([])
  })
  expect(await owner.query(free)).toHaveLength(1)
})

const logged = () =>
  owner.query('select action, subject, staff_id, session_id, details from staff.audit order by id')

it('a session begins with a row of the log that names it, and is stored only as the hash of its token', async () => {
  await staffToken(database)
  const token = await db.transaction((tx) =>
    startStaffSession(tx, { staffId: 1, address: ADDRESS }),
  )
  const stored = 'select token_hash from staff.session where id = 2'
  expect(await owner.value(stored)).toEqual(hashSecret(token))
  expect(hashSecret(token)).not.toEqual(Buffer.from(token, 'base64url'))
  const details = { address: ADDRESS }
  expect(await logged()).toEqual([
    { action: 'signed_in', subject: 'staff:1', staff_id: 1, session_id: 2n, details },
  ])
})

it('a session ends once, and the log says from where', async () => {
  await database.freezeClock(BEGUN)
  const token = await staffToken(database)
  expect(await leave(token)).toBe(true)
  await database.freezeClock(BEGUN + 1_000)
  expect(await leave(token)).toBe(false)
  expect(await leave('of nobody')).toBe(false)
  expect(await owner.query('select ended_at, ended_by from staff.session')).toEqual([
    { ended_at: BEGUN, ended_by: 'logout' },
  ])
  const details = { address: ADDRESS }
  expect(await logged()).toEqual([
    { action: 'signed_out', subject: 'staff:1', staff_id: 1, session_id: 1n, details },
  ])
})
