/** How sessions of staff begin and end in the database, and the rows of the audit log that say so. */
import { expect, it } from 'vitest'
import { callFunction, only } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { startStaffSession } from './staff-session.ts'
import { endSession } from './staff-store.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const ADDRESS = '192.0.2.1'

async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  return { ...database, token: await staffToken(database, { role: 'support' }) }
}

const logged = ({ owner }: TestDatabase) =>
  owner.query('select action, subject, staff_id, session_id, details from staff.audit order by id')

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
