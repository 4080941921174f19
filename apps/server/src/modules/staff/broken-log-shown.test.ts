/** What the running product shows of an altered audit log. */
import { readFileSync, writeFileSync } from 'node:fs'
import { auditChain } from '@sum28/contract/staff-audit-routes.ts'
import { expect, it } from 'vitest'
import { staffSession } from '#testing/people/staff.ts'
import { createTestApp, eventually } from '#testing/product/test-app.ts'
import { auditHeads } from './audit-heads.ts'

it('the end of the log is written by the queue of the product, whose auditors see where the log is broken', async () => {
  const test = await createTestApp()
  const owner = await staffSession(test)
  await test.database.owner.query(`select graphile_worker.add_job('write-audit-head')`)
  const heads = auditHeads(test.config.dataDir)
  const [head] = await eventually(() => {
    const all = heads.all()
    return all.length > 0 ? all : undefined
  })
  expect(await test.call(auditChain, {}, owner)).toMatchObject({ data: { broken_at: null } })
  // What another process has found by a file that this one does not have.
  await test.database.owner.query(
    'update staff.audit_head set broken_id = 7, broken_since = app.now(), broken_by_file = true',
  )
  expect(await test.call(auditChain, {}, owner)).toMatchObject({ data: { broken_at: 7 } })
  writeFileSync(
    heads.file,
    readFileSync(heads.file, 'utf8').replace(head?.hash ?? '', '0'.repeat(64)),
  )
  await test.restart()
  const after = await staffSession(test)
  expect(await test.call(auditChain, {}, after)).toMatchObject({ data: { broken_at: head?.id } })
})
