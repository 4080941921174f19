import { beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { readBy } from '#testing/database/table-reads.ts'
import {
  createTestDatabase,
  rolledBack,
  shareTestDatabase,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { appendAudit, auditLength, auditRows, loggedNames } from './audit.ts'
import { auditChecker } from './audit-check.ts'
import { auditHeads } from './audit-heads.ts'
import { auditCheck, BEGINNING } from './audit-signature.ts'

async function logOf(rows: number): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await writeRows(database, rows)
  return database
}

async function writeRows(database: TestDatabase, rows: number): Promise<void> {
  await database.db.query(
    `select staff.audit_action($1, 'tested', 'test:' || row, '{"money": "12.50"}')
     from generate_series(1, $2::integer) row`,
    [await sessionOf(database), rows],
  )
}

const tokens = new WeakMap<TestDatabase, Promise<string>>()

/** The session with which a database's rows are written. */
function sessionOf(database: TestDatabase): Promise<string> {
  const token = tokens.get(database) ?? staffToken(database)
  tokens.set(database, token)
  return token
}

async function append(database: TestDatabase, row: number): Promise<void> {
  const session = await sessionOf(database)
  await database.db.transaction((tx) =>
    appendAudit(tx, {
      session,
      action: 'tested',
      subject: `test:${row}`,
      details: { money: '12.50', nested: { list: [1, null, true] }, text: 'ä "quoted" \\ 漢' },
    }),
  )
}

/** Possible only with the owner's rights, and only after disabling the trigger. */
async function tamper({ owner }: { owner: Queryable }, ...statements: string[]): Promise<void> {
  await owner.query('alter table staff.audit disable trigger audit_never_changes')
  for (const statement of statements) await owner.query(statement)
  await owner.query('alter table staff.audit enable trigger audit_never_changes')
}

/** A log without any signature or recorded end. */
const witnesses = () => ({
  cipher: secretCipher('a key that is in no database, whoever owns it'),
  heads: auditHeads('/nowhere'),
})

/** The finding of a new process. */
const breakOf = ({ db }: Pick<TestDatabase, 'db'>) => auditChecker(db, witnesses())()

const REHASH = `hash = staff.audit_hash(id, at, staff_id, action, subject, details, previous_hash, session_id)`

/** Alters a row, and makes its hash again. */
const forged = (id: number) => [
  `update staff.audit set action = 'other' where id = ${id}`,
  `update staff.audit set ${REHASH} where id = ${id}`,
]

/** Writes the hash of the last row into the recorded end. */
const NEW_END = 'update staff.audit_head set hash = (select hash from staff.audit where id = 6)'

describe('the audit log', () => {
  it('is intact when it is empty, and after rows that came one by one', async () => {
    const database = await logOf(0)
    expect(await breakOf(database)).toBeNull()
    for (let row = 1; row <= 3; row += 1) await append(database, row)
    expect(await breakOf(database)).toBeNull()
    const [, second] = await loggedActions(database.db)
    const row = { id: 2, action: 'tested', subject: 'test:2', details: { money: '12.50' } }
    expect(second).toMatchObject({ ...row, staff: expect.stringMatching(/^m/) })
  })

  it('is intact after many simultaneous writes, some of them rolled back', async () => {
    const database = await logOf(0)
    const session = await sessionOf(database)
    await Promise.allSettled(
      Array.from({ length: 60 }, (_, row) =>
        database.db.transaction(async (tx) => {
          const subject = `test:${row}`
          await appendAudit(tx, { session, action: 'tested', subject, details: {} })
          if (row % 3 === 0) throw new Error('given up')
        }),
      ),
    )
    expect(await breakOf(database)).toBeNull()
    expect(await auditLength(database.db)).toBe(40)
    expect(await database.owner.value('select max(id)::integer from staff.audit')).toBe(40)
  })

  it('cannot be changed by the application, nor by the owner without tools', async () => {
    const { db, owner } = await logOf(2)
    const statements = [
      `update staff.audit set action = 'other'`,
      `delete from staff.audit`,
      `truncate staff.audit`,
      `insert into staff.audit select * from staff.audit where id = 2`,
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

  it.each([
    ['the hash of the last row', [`update staff.audit set hash = sha256('x') where id = 6`], 6],
    ['rows taken off the end', ['delete from staff.audit where id > 4'], 5],
    ['the last row written anew with the end', [...forged(6), NEW_END], 6],
  ])('that was whole is told at the next look: %s', async (_what, changes, brokenId) => {
    const database = await logOf(6)
    const check = auditChecker(database.db, witnesses())
    expect(await check()).toBeNull()
    await tamper(database, ...changes)
    expect(await check()).toBe(brokenId)
  })
})

describe('the check of a long log', () => {
  it('reads a part of it with each statement, and goes on where it broke off', async () => {
    const database = await logOf(7)
    const begun: unknown[] = []
    let breaksAt = 4
    const db = {
      ...database.db,
      query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
        if (text.includes('audit_check')) begun.push(values?.[0])
        if (begun.at(-1) === breaksAt) throw new Error('canceled after the limit of time')
        return database.db.query<Row>(text, values)
      },
    }
    let now = 0
    const check = auditChecker(db, witnesses(), { now: () => now, rowsAtOnce: 2 })
    await expect(check()).rejects.toThrow('limit of time')
    breaksAt = -1
    // Of two at once, one reads.
    expect(await Promise.all([check(), check()])).toEqual([null, null])
    expect(begun).toEqual([0, 2, 4, 4, 6])
    await tamper(database, `update staff.audit set action = 'other' where id in (3, 6)`)
    expect(await check()).toBeNull()
    now += 3_600_000
    // All rows are read again after an hour, and each time while something is wrong.
    expect([await check(), await check()]).toEqual([3, 3])
    expect(begun.slice(5)).toEqual([7, 0, 2, 0, 2])
  })

  it('that has not grown reads its last row, and not the others', async () => {
    const database = await logOf(2_000)
    const { db, owner } = database
    await owner.query('analyze staff.audit')
    const { lastId: id, lastHash: hash } = await auditCheck(db, BEGINNING)
    const reads = await db.transaction((tx) => readBy(tx, () => auditCheck(tx, { id, hash })))
    const { rows = 0, fetches = 0 } = reads.find(({ name }) => name === 'staff.audit') ?? {}
    expect(id).toBe(2_000)
    expect(rows + fetches).toBeLessThan(10)
  })
})

describe('the check of a log of six rows', () => {
  const database = shareTestDatabase()
  beforeAll(() => writeRows(database, 6))

  /** Where the log is broken after changes by its owner, which are undone then. */
  async function brokenBy(...changes: string[]): Promise<number | null> {
    let found: number | null = null
    await rolledBack(database, async (tx) => {
      await tamper({ owner: tx }, ...changes)
      const db = { ...database.db, ...tx }
      found = await breakOf({ db })
      // The same, however many rows a statement reads.
      expect(await auditChecker(db, witnesses(), { rowsAtOnce: 2 })()).toBe(found)
    })
    return found
  }

  it.each<[string, number, string[]]>([
    ['its details', 3, [`update staff.audit set details = '{"money": "99.00"}' where id = 3`]],
    ['its action', 1, [`update staff.audit set action = 'other' where id = 1`]],
    ['its time', 5, [`update staff.audit set at = at + interval '1 microsecond' where id = 5`]],
    ['its subject', 6, [`update staff.audit set subject = 'test:9' where id = 6`]],
    ['its number', 3, ['update staff.audit set id = 30 where id = 3']],
    [
      'the hash that it follows',
      4,
      [
        `update staff.audit set previous_hash = sha256('') where id = 4`,
        `update staff.audit set ${REHASH} where id = 4`,
      ],
    ],
    ['nothing, but the recorded end was', 6, [`update staff.audit_head set hash = sha256('')`]],
    ['it, with its hash: the row after it is named', 4, forged(3)],
    ['it, as the last of those that are read at once, with its hash', 3, forged(2)],
    ['the last one, with its hash', 6, forged(6)],
    [
      'it, and the end is gone',
      3,
      [
        `update staff.audit set action = 'other' where id = 3`,
        'delete from staff.audit where id = 6',
      ],
    ],
    [
      'its place with that of another',
      2,
      [
        'update staff.audit set id = 100 where id = 2',
        'update staff.audit set id = 2 where id = 5',
        'update staff.audit set id = 5 where id = 100',
      ],
    ],
    [
      'nothing, but was inserted directly',
      7,
      [
        `insert into staff.audit (id, at, action, subject, details, previous_hash, hash)
       select 7, app.now(), 'made_up', 'test:7', '{}', hash, sha256('') from staff.audit where id = 6`,
        `update staff.audit set ${REHASH} where id = 7`,
      ],
    ],
  ])('names a row that was altered: %s', async (_what, brokenId, statements) => {
    expect(await brokenBy(...statements)).toBe(brokenId)
  })

  it.each([
    ['id = 1', 1],
    ['id = 3', 3],
    ['id = 6', 6],
    ['id >= 5', 5],
    ['true', 1],
  ])('names the place of rows that were removed: %s', async (which, brokenId) => {
    expect(await brokenBy(`delete from staff.audit where ${which}`)).toBe(brokenId)
  })
})

it('the list of the log offers the names that the log has, and finds by kind and number of the subject', async () => {
  const database = await createTestDatabase()
  const { db } = database
  expect(await loggedNames(db)).toEqual({ actions: [], subjects: [] })
  const session = await sessionOf(database)
  const rows = [
    ['room_changed', 'room:11'],
    ['room_changed', 'room:12'],
    ['told', 'rooms:11,23'],
    ['told', 'betting'],
  ] as const
  for (const [action, subject] of rows) {
    await db.transaction((tx) => appendAudit(tx, { session, action, subject, details: {} }))
  }
  expect(await loggedNames(db)).toEqual({
    actions: ['room_changed', 'told'],
    subjects: ['betting', 'room', 'rooms'],
  })
  const found = async (ask: Parameters<typeof auditRows>[2]) => {
    const page = await auditRows(db, 'UTC', ask)
    return 'list' in page ? page.list.map(({ subject }) => subject) : page
  }
  const named = async () => {
    const page = await auditRows(db, 'UTC', {})
    return 'list' in page ? page.list.map(({ subjectName }) => subjectName) : []
  }
  expect(await found({ subjectKind: 'room' })).toEqual(['room:12', 'room:11'])
  expect(await named()).toEqual([null, 'DOT · Basic, BCH · Master', 'DOT · Senior', 'DOT · Basic'])
  expect(await found({ subjectKind: 'room', subjectId: '11' })).toEqual(['room:11'])
  expect(await found({ subjectKind: 'betting' })).toEqual(['betting'])
  expect(await found({ subjectKind: 'room', what: 'told' })).toEqual([])
  const name = await db.value<string>('select upper(name) from staff.member')
  expect(await found({ staff: name })).toHaveLength(4)
  const subject = `member:${name.toLowerCase()}`
  await db.transaction((tx) => appendAudit(tx, { session, action: 'told', subject, details: {} }))
  expect(await found({ subjectKind: 'member', subjectId: name })).toHaveLength(1)
  expect(await found({ staff: 'nobody' })).toMatchObject({ faults: { staff: 'choice' } })
  for (const subject of ['game:2', 'round:3:20261122001', 'room:7'])
    await db.transaction((tx) => appendAudit(tx, { session, action: 'told', subject, details: {} }))
  expect((await named()).slice(0, 3)).toEqual([null, 'ETH · 20261122001', 'BCH'])
  expect(await found({ subjectId: '11' })).toMatchObject({ faults: { subject_kind: 'required' } })
})
