/** What the database checks and locks when a member closes a colleague's account. */
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { closeMemberAs } from './close-colleague.ts'

const BEFORE = Date.UTC(2026, 10, 20, 11)
const NOW = Date.UTC(2026, 10, 20, 12)

/** Two members, of whom the first is an owner, and the sessions of both. */
async function stage(role: 'owner' | 'finance' = 'owner') {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  await database.owner.query(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
     values ('ann', $1, '', '', ''), ('bob', 'owner', '', '', '')`,
    [role],
  )
  const [ann, bob] = [
    await staffToken(database, { name: 'ann' }),
    await staffToken(database, { name: 'bob' }),
  ]
  const close = (name: string, session = ann, by: Queryable = database.db) =>
    closeMemberAs(by, { name, session })
  return { ...database, database, sessions: { ann, bob }, close }
}

type Stage = Awaited<ReturnType<typeof stage>>

const written = async ({ owner }: Stage) => ({
  members: await owner.query('select name, active from staff.member order by id'),
  sessions: await owner.query('select staff_id, ended_at, ended_by from staff.session order by id'),
  log: await owner.query('select action, subject, staff_id, session_id, details from staff.audit'),
})

it('a colleague’s account is closed once: his live sessions end, and the log says by whom', async () => {
  const here = await stage()
  await here.owner.query(
    `insert into staff.session (token_hash, staff_id, address, ended_at, ended_by) values ('left', 2, 'test', $1, 'logout')`,
    [new Date(BEFORE)],
  )
  expect(await here.close('bob')).toBe('closed')
  const first = await written(here)
  expect(first).toEqual({
    members: [
      { name: 'ann', active: true },
      { name: 'bob', active: false },
    ],
    sessions: [
      { staff_id: 1, ended_at: null, ended_by: null },
      { staff_id: 2, ended_at: NOW, ended_by: 'inactive' },
      { staff_id: 2, ended_at: BEFORE, ended_by: 'logout' },
    ],
    log: [
      {
        ...{ action: 'staff_closed', subject: 'staff:2', staff_id: 1, session_id: 1n },
        details: { name: 'bob' },
      },
    ],
  })
  await here.freezeClock(NOW + 1_000)
  expect(await here.close('bob')).toBe('already_closed')
  expect(await written(here)).toEqual(first)
})

it('nobody closes his own account, or that of a stranger', async () => {
  const here = await stage()
  const before = await written(here)
  expect(await here.close('ann')).toBe('same_person')
  expect(await here.close('nobody')).toBe('not_found')
  expect(await written(here)).toEqual(before)
})

it('only an owner closes an account', async () => {
  const here = await stage('finance')
  const before = await written(here)
  await expect(here.close('bob')).rejects.toThrow('forbidden')
  expect(await written(here)).toEqual(before)
})

it.each([
  ['the first closes the second', 'ann', 'bob'],
  ['the second closes the first', 'bob', 'ann'],
] as const)(
  'two members are locked in one order, whoever closes whom: %s',
  async (_how, by, name) => {
    const here = await stage()
    const { late } = await here.owner.transaction(async (tx) => {
      await tx.query('select from staff.member where id = 1 for no key update')
      const late = here.close(name, here.sessions[by])
      await somebodyWaits(here)
      // While it waits for the first it holds nothing of the second.
      const free = 'select from staff.member where id = 2 for no key update nowait'
      expect(await tx.query(free)).toHaveLength(1)
      return { late }
    })
    expect(await late).toBe('closed')
  },
)
