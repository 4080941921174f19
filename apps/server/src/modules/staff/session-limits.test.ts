/** When a member's session ends by itself, to the millisecond, and what holds his rights while he acts. */
import { expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'

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

/** A member of this role whose session has just begun. */
async function stage(role: 'owner' | 'finance' | 'support' = 'owner') {
  const database = await createTestDatabase()
  await database.freezeClock(BEGUN)
  const token = await staffToken(database, { role })
  const { owner, freezeClock } = database
  return {
    ...{ database, owner, token, freezeClock },
    word: () => wordOf(owner, token),
    set: (change: string, at = BEGUN) =>
      owner.query(
        `update staff.session set ${change}`,
        change.includes('$1') ? [new Date(at)] : [],
      ),
  }
}

it('a session lasts fifteen minutes after the last call, whenever it began', async () => {
  const { word, set, freezeClock } = await stage()
  await freezeClock(BEGUN + 15 * MINUTE)
  expect(await word()).toBe('may')
  await freezeClock(BEGUN + 15 * MINUTE + 1)
  expect(await word()).toBe('session_expired')
  await set('seen_at = $1', BEGUN + 1)
  expect(await word()).toBe('may')
})

it('a session lasts twelve hours, however late the last call was', async () => {
  const { word, set, freezeClock } = await stage()
  await set('seen_at = $1', BEGUN + 12 * HOUR)
  await freezeClock(BEGUN + 12 * HOUR)
  expect(await word()).toBe('may')
  await freezeClock(BEGUN + 12 * HOUR + 1)
  expect(await word()).toBe('session_expired')
})

it.each([
  ['was left by its member', `ended_at = app.now(), ended_by = 'logout'`, 'session_unknown'],
  ['ended with a reset', `ended_at = app.now(), ended_by = 'reset'`, 'session_replaced'],
  ['ended with the account', `ended_at = app.now(), ended_by = 'inactive'`, 'session_replaced'],
  ['is of another token', `token_hash = sha256('x')`, 'session_unknown'],
])('a session that %s may do nothing', async (_how, change, answer) => {
  const { word, set } = await stage()
  await set(change)
  expect(await word()).toBe(answer)
})

it('a session of a closed account may do nothing, even if it has no end itself', async () => {
  const { word, owner } = await stage()
  await owner.query('update staff.member set active = false')
  expect(await word()).toBe('session_replaced')
})

it.each([
  ['owner', 'may'],
  ['finance', 'may'],
  ['support', 'forbidden'],
] as const)('of three roles only those that are named may act: %s', async (role, answer) => {
  const { word } = await stage(role)
  expect(await word()).toBe(answer)
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
  const { database, owner, word } = await stage()
  const { late } = await owner.transaction(async (tx) => {
    await tx.query(`update staff.member set role = 'support'`)
    const late = word()
    await somebodyWaits(database)
    return { late }
  })
  expect(await late).toBe('forbidden')
})
