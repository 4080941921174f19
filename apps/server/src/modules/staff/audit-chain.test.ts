/** Which rows of the audit log the database checks by itself, and the row that it names. */
import { expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { auditCheck } from './audit-signature.ts'

/** A log of six rows, and what the database says of it after a row that was checked before. */
async function sixRows() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const session = await staffToken(database)
  for (let row = 1; row <= 6; row += 1) {
    await db.query(`select staff.audit_action($1, 'tested', 'test:1', '{}')`, [session])
  }
  const hashes = await owner.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from staff.audit order by id`,
  )
  return {
    ...database,
    check: (after = 0) => auditCheck(db, { id: after, hash: hashes[after - 1]?.hash ?? null }),
    last: hashes[5]?.hash,
  }
}

/** Changes rows as the table's owner, and makes every later hash again, so that the chain is whole. */
async function writeAnew({ owner }: TestDatabase, change: string): Promise<void> {
  await owner.query('alter table staff.audit disable trigger user')
  await owner.query(change)
  for (let id = 1; id <= 6; id += 1) {
    await owner.query(
      `update staff.audit set previous_hash = before.hash, hash = staff.audit_hash(audit.id, at, staff_id, action,
         subject, details, before.hash, session_id)
       from (select coalesce((select hash from staff.audit where id = $1 - 1), sha256('')) as hash) before
       where audit.id = $1`,
      [id],
    )
  }
  await owner.query(
    'update staff.audit_head set hash = (select hash from staff.audit where id = 6)',
  )
}

it('a whole log is whole from each of its rows on', async () => {
  const { check, last } = await sixRows()
  const result = { brokenId: null, lastId: 6, lastHash: last }
  for (const after of [0, 1, 5, 6]) expect(await check(after)).toEqual(result)
})

it('a log that was written anew up to its end is told by the hash of the row checked last', async () => {
  const log = await sixRows()
  await writeAnew(log, `update staff.audit set action = 'other' where id = 2`)
  expect(await log.check(0)).toMatchObject({ brokenId: null })
  expect(await log.check(1)).toMatchObject({ brokenId: null })
  expect(await log.check(6)).toMatchObject({ brokenId: 6 })
})

it.each([
  ['was altered', `update staff.audit set action = 'other' where id = 4`, 4],
  [
    'follows another hash than that of the row before',
    `update staff.audit set previous_hash = sha256(''),
       hash = staff.audit_hash(id, at, staff_id, action, subject, details, sha256(''), session_id) where id = 4`,
    4,
  ],
  ['was taken out', 'delete from staff.audit where id = 4', 4],
])('a row that %s is named if it is new', async (_how, change, brokenId) => {
  const { owner, check } = await sixRows()
  await owner.query('alter table staff.audit disable trigger user')
  await owner.query(change)
  expect(await check(3)).toMatchObject({ brokenId })
  expect(await check(6)).toMatchObject({ brokenId: null })
})

it.each([
  ['has two rows less', 'delete from staff.audit where id > 4', 5],
  [
    'has one row more',
    `insert into staff.audit (id, at, staff_id, action, subject, details, previous_hash, hash, session_id)
    select 7, at, staff_id, action, subject, details, hash,
    staff.audit_hash(7, at, staff_id, action, subject, details, hash, session_id), session_id
    from staff.audit where id = 6`,
    7,
  ],
  ['has another hash', `update staff.audit_head set hash = sha256('')`, 6],
])('a log that %s than its recorded end is told', async (_how, change, brokenId) => {
  const { owner, check } = await sixRows()
  await owner.query('alter table staff.audit disable trigger user')
  await owner.query(change)
  expect(await check(0)).toMatchObject({ brokenId })
  expect(await check(3)).toMatchObject({ brokenId })
})
