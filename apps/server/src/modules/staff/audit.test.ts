import { auditLog } from '@sum28/contract/staff-routes.ts'
import { describe, expect, it } from 'vitest'
import { staffSession } from '#testing/staff.ts'
import { createTestApp } from '#testing/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { appendAudit, auditBreak, auditList } from './audit.ts'

async function logOf(rows: number): Promise<TestDatabase> {
  const database = await createTestDatabase()
  for (let row = 1; row <= rows; row += 1) await append(database, row)
  return database
}

function append({ db }: TestDatabase, row: number): Promise<void> {
  return db.transaction((tx) =>
    appendAudit(tx, {
      staffId: null,
      action: 'tested',
      subject: `test:${row}`,
      details: { money: '12.50', nested: { list: [1, null, true] }, text: 'ä "quoted" \\ 漢' },
    }),
  )
}

/** What only somebody with the owner's hands can do, and only after he has put the guard away. */
async function tamper({ owner }: TestDatabase, ...statements: string[]): Promise<void> {
  await owner.query('alter table staff.audit disable trigger audit_never_changes')
  for (const statement of statements) await owner.query(statement)
  await owner.query('alter table staff.audit enable trigger audit_never_changes')
}

const REHASH = `hash = staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash)`

describe('the audit log', () => {
  it('is whole when it is empty, and after rows that came one by one', async () => {
    const database = await logOf(0)
    expect(await auditBreak(database.db)).toBeNull()
    for (let row = 1; row <= 3; row += 1) await append(database, row)
    expect(await auditBreak(database.db)).toBeNull()
    const { list, total } = await auditList(database.db, { limit: 2, offset: 1 })
    expect(total).toBe(3)
    expect(list).toMatchObject([
      { id: 2, staff: null, action: 'tested', subject: 'test:2', details: { money: '12.50' } },
      { id: 1, subject: 'test:1' },
    ])
    expect(list[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is whole after many wrote at once, some of whom gave up', async () => {
    const database = await logOf(0)
    await Promise.allSettled(
      Array.from({ length: 60 }, (_, row) =>
        database.db.transaction(async (tx) => {
          await appendAudit(tx, {
            staffId: null,
            action: 'tested',
            subject: `test:${row}`,
            details: {},
          })
          if (row % 3 === 0) throw new Error('given up')
        }),
      ),
    )
    expect(await auditBreak(database.db)).toBeNull()
    const { list, total } = await auditList(database.db, { limit: 100, offset: 0 })
    expect(total).toBe(40)
    expect(list.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, id) => 40 - id))
  })

  it.each([
    [`update staff.audit set details = '{"money": "99.00"}' where id = 3`, 3],
    [`update staff.audit set action = 'other' where id = 1`, 1],
    [`update staff.audit set at = at + interval '1 microsecond' where id = 5`, 5],
    [`update staff.audit set subject = 'test:9' where id = 6`, 6],
    [`update staff.audit set id = 30 where id = 3`, 3],
  ])('names a row that was altered: %s', async (statement, place) => {
    const database = await logOf(6)
    await tamper(database, statement)
    expect(await auditBreak(database.db)).toBe(place)
  })

  it('names the row after one whose hash was forged with it, and the last one itself', async () => {
    const middle = await logOf(6)
    await tamper(
      middle,
      `update staff.audit set action = 'other' where id = 3`,
      `update staff.audit set ${REHASH} where id = 3`,
    )
    expect(await auditBreak(middle.db)).toBe(4)
    const last = await logOf(6)
    await tamper(
      last,
      `update staff.audit set action = 'other' where id = 6`,
      `update staff.audit set ${REHASH} where id = 6`,
    )
    expect(await auditBreak(last.db)).toBe(6)
  })

  it.each([
    ['id = 1', 1],
    ['id = 3', 3],
    ['id = 6', 6],
    ['id >= 5', 5],
    ['true', 1],
  ])('names the place of rows that were removed: %s', async (which, place) => {
    const database = await logOf(6)
    await tamper(database, `delete from staff.audit where ${which}`)
    expect(await auditBreak(database.db)).toBe(place)
  })

  it('names the first of rows that changed places', async () => {
    const database = await logOf(6)
    await tamper(
      database,
      `update staff.audit set id = 100 where id = 2`,
      `update staff.audit set id = 2 where id = 5`,
      `update staff.audit set id = 5 where id = 100`,
    )
    expect(await auditBreak(database.db)).toBe(2)
  })

  it('names a row that was put in behind its back', async () => {
    const database = await logOf(3)
    await database.owner.query(
      `insert into staff.audit (id, at, action, subject, details, previous_hash, hash)
       select 4, app.now(), 'made_up', 'test:4', '{}', hash, sha256('') from staff.audit where id = 3`,
    )
    await tamper(database, `update staff.audit set ${REHASH} where id = 4`)
    expect(await auditBreak(database.db)).toBe(4)
  })

  it('cannot be changed by the application, nor by the owner without tools', async () => {
    const { db, owner } = await logOf(2)
    const statements = [
      `update staff.audit set action = 'other'`,
      `delete from staff.audit`,
      `truncate staff.audit`,
      `insert into staff.audit select 3, at, staff_id, action, subject, details, hash, hash from staff.audit where id = 2`,
      `update staff.audit_head set id = 0`,
      `select * from staff.audit_head`,
      `alter table staff.audit disable trigger audit_never_changes`,
      `drop table staff.audit`,
    ]
    for (const statement of statements) {
      await expect(db.query(statement)).rejects.toThrow(/permission denied|must be owner/)
    }
    for (const statement of statements.slice(0, 3)) {
      await expect(owner.query(statement)).rejects.toThrow('its rows are history')
    }
  })

  it('tells the owner and the auditor where it is broken', async () => {
    const test = await createTestApp()
    const owner = await staffSession(test)
    const whole = await test.call(auditLog, { page: 1, limit: 2 }, owner)
    expect(whole).toMatchObject({ code: 1, data: { page: 1, broken_at: null } })
    expect(whole.data.list).toHaveLength(2)
    expect(whole.data.list[0]).toMatchObject({ action: 'signed_in', staff: 'owner' })
    await tamper(test.database, `update staff.audit set subject = 'staff:9' where id = 2`)
    expect((await test.call(auditLog, {}, owner)).data).toMatchObject({
      broken_at: 2,
      total: whole.data.total,
    })
  })
})
