/** What the running product shows of an altered audit log. */
import { readFileSync, writeFileSync } from 'node:fs'
import { auditChain } from '@sum28/contract/staff-audit-routes.ts'
import { expect, it } from 'vitest'
import { writeAuditHead } from '#src/jobs/audit-jobs.ts'
import { staffSession } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { API_ALONE, createTestApp } from '#testing/product/test-app.ts'
import { auditHeads } from './audit-heads.ts'

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
  // What another process has found by a file that this one does not have.
  await owner.query(
    'update staff.audit_head set broken_id = 7, broken_since = app.now(), broken_by_file = true',
  )
  expect(await brokenAt()).toBe(7)
})
