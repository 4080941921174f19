/** What a person with the owner's rights can do to the audit log, and how that is detected. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { auditChain } from '@sum28/contract/staff-audit-routes.ts'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { signAuditLog, writeAuditHead } from '#src/jobs/audit-jobs.ts'
import { showUnwritten } from '#src/jobs/watch-needs.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { type SecretCipher, secretCipher } from '#src/secrets/secret-cipher.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { staffSession, staffToken } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { API_ALONE, createTestApp } from '#testing/product/test-app.ts'
import { appendAudit } from './audit.ts'
import { auditChecker, notedBreak, noteRestore } from './audit-check.ts'
import { auditHeads } from './audit-heads.ts'
import { isOurHead, signAudit } from './audit-signature.ts'

const KEY = 'a key that is in no database, whoever owns it'
const LATER_KEY = 'another key that is in no database, after it'

type Stage = TestDatabase & {
  session: string
  dataDir: string
  append(rows: number): Promise<void>
}

async function stageWith(rows: number): Promise<Stage> {
  const database = await createTestDatabase()
  const session = await staffToken(database)
  const dataDir = temporaryFolder()
  const stage = {
    ...database,
    session,
    dataDir,
    async append(count: number) {
      for (let row = 0; row < count; row += 1) {
        await database.db.transaction((tx) =>
          appendAudit(tx, { session, action: 'tested', subject: 'test:1', details: { row } }),
        )
      }
    },
  }
  await stage.append(rows)
  return stage
}

/** Changes the log as an owner who hides it: every later hash is made again. */
async function forge({ owner }: Stage, change: string): Promise<void> {
  await owner.query('alter table staff.audit disable trigger user')
  await owner.query('alter table staff.audit_signature disable trigger user')
  await owner.query(change)
  await owner.query(`
    do $$
    declare
      one staff.audit;
      last bytea := sha256('');
    begin
      for one in select * from staff.audit order by id loop
        update staff.audit set previous_hash = last, hash = staff.audit_hash(id, at, staff_id, action,
          subject, details, last, session_id)
        where id = one.id returning hash into last;
      end loop;
      update staff.audit_head set hash = last, id = (select coalesce(max(id), 0) from staff.audit);
    end $$`)
  await owner.query('alter table staff.audit enable trigger user')
  await owner.query('alter table staff.audit_signature enable trigger user')
}

const deps = ({ db, dataDir }: Stage, keys: SecretCipher = secretCipher(KEY)) => {
  const { log, lines } = captureLog()
  return { db, cipher: keys, heads: auditHeads(dataDir), now: () => Date.now(), log, lines }
}

/** The finding of a new process. */
const breakOf = (stage: Stage, keys?: SecretCipher) => auditChecker(stage.db, deps(stage, keys))()

describe('a signed log', () => {
  it('is intact, and its end, if it has one, is signed once for each time that it moved', async () => {
    const stage = await stageWith(0)
    expect(await signAudit(deps(stage))).toEqual({ head: null, fresh: false, brokenAt: null })
    await writeAuditHead(deps(stage))
    expect(auditHeads(stage.dataDir).all()).toEqual([])
    await stage.append(3)
    const first = await signAudit(deps(stage))
    expect(first).toMatchObject({ fresh: true, brokenAt: null, head: { id: 3 } })
    expect(await signAudit(deps(stage))).toEqual({ ...first, fresh: false })
    await stage.append(2)
    expect(await signAudit(deps(stage))).toMatchObject({ fresh: true, head: { id: 5 } })
    expect(await breakOf(stage)).toBeNull()
  })

  it.each([
    ['a row was altered', `update staff.audit set action = 'other' where id = 2`, 3],
    ['its session was altered', `update staff.audit set session_id = null where id = 3`, 3],
    [
      'a row was taken out, and those after it moved up',
      `delete from staff.audit where id = 2; update staff.audit set id = id - 1 where id > 2`,
      3,
    ],
    ['the latest rows were taken off', `delete from staff.audit where id > 2`, 3],
  ])('tells that %s by who hashed all of it anew', async (_what, change, brokenId) => {
    const stage = await stageWith(3)
    await signAudit(deps(stage))
    await stage.append(3)
    await signAudit(deps(stage))
    await forge(stage, change)
    const { db } = stage
    // The chain alone is still valid.
    const broken = `select broken_id from staff.audit_check(0, sha256(''), null)`
    expect(await db.query(broken)).toEqual([{ broken_id: null }])
    expect(await breakOf(stage)).toBe(brokenId)
    // Nor is the forged end signed.
    const { cipher: keys, log, lines } = deps(stage)
    await stage.append(1)
    await signAuditLog({ ...deps(stage), cipher: keys, log })
    expect(lines.join()).toContain('the audit log is not what was written')
  })

  it('is not signed by a process without the key', async () => {
    const stage = await stageWith(3)
    await signAudit(deps(stage))
    await forge(stage, `update staff.audit set action = 'other' where id = 2`)
    await stage.owner.query('alter table staff.audit_signature disable trigger user')
    await stage.owner.query('delete from staff.audit_signature')
    const hash = await stage.owner.value<Buffer>('select hash from staff.audit where id = 3')
    const mac = secretCipher('what somebody guesses that the key might be').mac(
      Buffer.from(`3:${hash.toString('hex')}`),
      'audit log',
    )
    const { keyId } = secretCipher(KEY)
    await stage.owner.query(
      'insert into staff.audit_signature (audit_id, mac, key_id) values (3, $1, $2)',
      [mac, keyId],
    )
    expect(await breakOf(stage)).toBe(3)
    expect(await signAudit(deps(stage))).toMatchObject({ brokenAt: 3, head: null })
  })

  it('continues under another key, and is checked under the earlier one as long as that is known', async () => {
    const stage = await stageWith(3)
    await signAudit(deps(stage))
    await stage.append(1)
    const both = secretCipher(LATER_KEY, [KEY])
    expect(await signAudit(deps(stage, both))).toMatchObject({ fresh: true, brokenAt: null })
    expect(await breakOf(stage, both)).toBeNull()
    // The key is removed: its signatures prove nothing any more, and the others continue.
    const later = secretCipher(LATER_KEY)
    expect(await signAudit(deps(stage, later))).toMatchObject({ fresh: false, brokenAt: null })
    await forge(stage, `update staff.audit set action = 'other' where id = 2`)
    expect(await breakOf(stage, later)).toBe(4)
    expect(await breakOf(stage, both)).toBe(3)
  })

  it('without any known key is signed from its beginning', async () => {
    const stage = await stageWith(3)
    await signAudit(deps(stage))
    const later = secretCipher(LATER_KEY)
    expect(await signAudit(deps(stage, later))).toMatchObject({ fresh: true, head: { id: 3 } })
    expect(await signAudit(deps(stage, later))).toMatchObject({ fresh: false, head: { id: 3 } })
    expect(await breakOf(stage, later)).toBeNull()
  })

  it('is signed by the database only in its present state, and no signature changes', async () => {
    const { db, owner, append } = await stageWith(2)
    const mac = Buffer.alloc(32)
    const signature = (row: number) =>
      db.query(`select staff.sign_audit($1, sha256('made up'), $2, 'k') as done`, [row, mac])
    expect(await signature(1)).toEqual([{ done: false }])
    expect(await signature(9)).toEqual([{ done: false }])
    await owner.query(
      `insert into staff.audit_signature (audit_id, mac, key_id) values (1, $1, 'k')`,
      [mac],
    )
    for (const change of [
      `update staff.audit_signature set key_id = 'other'`,
      'delete from staff.audit_signature',
      'truncate staff.audit_signature',
    ]) {
      await expect(db.query(change)).rejects.toThrow(/permission denied/)
      await expect(owner.query(change)).rejects.toThrow('its rows are history')
    }
    await append(1)
  })
})

describe('the recorded end', () => {
  it('show that the latest rows were deleted together with their signatures', async () => {
    const stage = await stageWith(3)
    await writeAuditHead(deps(stage))
    await stage.append(2)
    await writeAuditHead(deps(stage))
    await forge(
      stage,
      'delete from staff.audit where id > 3; delete from staff.audit_signature where audit_id > 3',
    )
    expect(await breakOf(stage)).toBe(5)
  })

  /** The log as it is after a restore: without the rows from one on, and with others since. */
  async function restoredAt(stage: Stage, from: number): Promise<number> {
    const at = await stage.owner.value<number>('select at from staff.audit where id = $1', [
      from - 1,
    ])
    await forge(
      stage,
      `delete from staff.audit where id >= ${from}; delete from staff.audit_signature where audit_id >= ${from}`,
    )
    await stage.append(2)
    return at
  }

  it('is a line for each day on which it moved, and in the log of the process; a forged line shows', async () => {
    const stage = await stageWith(2)
    const day = deps(stage)
    await writeAuditHead(day)
    await writeAuditHead(day)
    await stage.append(1)
    await writeAuditHead(day)
    const written = auditHeads(stage.dataDir).all()
    expect(written.map(({ id }) => id)).toEqual([2, 3])
    expect(written.map((head) => isOurHead(secretCipher(KEY), head))).toEqual([true, true])
    const [last] = written.slice(-1)
    expect(day.lines.join()).toContain(last?.hash)
    const { file } = auditHeads(stage.dataDir)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"id":3', '"id":1'))
    expect(await breakOf(stage)).toBe(1)
  })

  it('shows it to staff of every process, until it is right again, although numbers are used again', async () => {
    const stage = await stageWith(3)
    const own = deps(stage)
    const other = { ...own, heads: auditHeads(`${stage.dataDir}/other`) }
    await writeAuditHead({ ...own, now: () => 0 })
    await stage.append(2)
    await writeAuditHead(own)
    const registry = new Registry()
    showUnwritten(registry, own)
    const unwritten = async () => (await registry.getMetricsAsJSON())[0]?.values[0]?.value
    const needs = () => readNeeds(stage.db, ['audit_broken'])
    expect([await unwritten(), await needs()]).toEqual([0, []])
    const to = await restoredAt(stage, 4)
    expect(await unwritten()).toBeGreaterThan(0)
    await signAuditLog(own)
    const [found] = await needs()
    expect(found).toMatchObject({ count: 1 })
    // What one process's file has shown no other takes back; each goes on to write the ends that hold in its own file.
    await signAuditLog(other)
    await writeAuditHead(other)
    await writeAuditHead(own)
    expect(await needs()).toEqual([found])
    expect(await notedBreak(stage.db)).toEqual({ row: 5, byFile: true })
    expect([own.heads.all().length, other.heads.all().length]).toEqual([2, 1])
    await noteRestore(own, to)
    await signAuditLog(own)
    expect(await needs()).toEqual([])
    await writeAuditHead(own)
    expect(await unwritten()).toBe(0)
  })

  it('goes on after a restore that is noted, and shows what is deleted later', async () => {
    const stage = await stageWith(3)
    const { lines, ...day } = deps(stage)
    await writeAuditHead({ ...day, now: () => 0 })
    await stage.append(2)
    await writeAuditHead(day)
    const to = await restoredAt(stage, 4)
    expect(await breakOf(stage)).toBe(5)
    // By that instant the row was written already.
    expect(await noteRestore(day, Date.now())).toEqual({ refused: 'differs', row: 5 })
    expect(await noteRestore(day, to)).toEqual({ from: 5, ends: 1 })
    expect(await breakOf(stage)).toBeNull()
    expect(await noteRestore(day, to)).toEqual({ refused: 'nothing_gone' })
    await stage.append(1)
    await writeAuditHead(day)
    expect(lines.join()).toContain('was written down')
    expect(auditHeads(stage.dataDir).all()).toHaveLength(4)

    await restoredAt(stage, 6)
    expect(await breakOf(stage)).toBe(6)
  })

  it('holds no mark of a restore that was made without the key, or is of another place in the file', async () => {
    const stage = await stageWith(3)
    const day = deps(stage)
    await writeAuditHead(day)
    const { file } = auditHeads(stage.dataDir)
    const to = await restoredAt(stage, 3)
    const stranger = secretCipher('what somebody guesses that the key might be')
    await noteRestore({ ...day, cipher: stranger }, to)
    expect(await breakOf(stage)).toBe(3)
    expect(await noteRestore({ ...day, heads: auditHeads(`${stage.dataDir}/other`) }, to)).toEqual({
      refused: 'nothing_gone',
    })
    await noteRestore(day, to)
    expect(await breakOf(stage)).toBeNull()
    const [first, , mark] = readFileSync(file, 'utf8').trim().split('\n')
    writeFileSync(file, `${mark}\n${first}\n`)
    expect(await breakOf(stage)).toBe(3)
  })

  it('is read without an incomplete last line after a power cut, and not with an invalid line', async () => {
    const stage = await stageWith(2)
    await writeAuditHead(deps(stage))
    const { file } = auditHeads(stage.dataDir)
    appendFileSync(file, '{"at":"2026')
    expect(auditHeads(stage.dataDir).all()).toHaveLength(1)
    const next = { id: 3, hash: '0'.repeat(64), mac: '0'.repeat(64), keyId: 'k' }
    auditHeads(stage.dataDir).add(next, Date.now())
    expect(auditHeads(stage.dataDir).all()).toMatchObject([{ id: 2 }, next])
    appendFileSync(file, '{"at":"2026\n')
    expect(() => auditHeads(stage.dataDir).all()).toThrow('line 3')
    const { lines, ...day } = deps(stage)
    expect(await signAuditLog(day)).toMatchObject({ id: 2 })
    expect(lines.join()).toContain('could not be compared with its ends')
    await expect(writeAuditHead(day)).rejects.toThrow('line 3')
  })
})

// That the queue writes the end: worker.test.ts.
it('auditors see where the log is broken, by its written end or by what another process has found', async () => {
  const test = await createTestApp(API_ALONE)
  const auditor = await staffSession(test)
  const { db, owner } = test.database
  const heads = auditHeads(test.config.dataDir)
  await writeAuditHead({ ...captureLog(), db, cipher: CIPHER, heads, now: Date.now })
  const [head] = heads.all()
  const brokenAt = async () => (await test.call(auditChain, {}, auditor)).data.broken_at
  const written = readFileSync(heads.file, 'utf8')
  writeFileSync(heads.file, written.replace(head?.hash ?? '', '0'.repeat(64)))
  expect(await brokenAt()).toBe(head?.id)
  writeFileSync(heads.file, written)
  expect(await brokenAt()).toBeNull()
  await owner.query(
    'update staff.audit_head set broken_id = 7, broken_since = app.now(), broken_by_file = true',
  )
  expect(await brokenAt()).toBe(7)
})
