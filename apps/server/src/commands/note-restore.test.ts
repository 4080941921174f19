import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { signAuditLog, writeAuditHead } from '#src/jobs/audit-jobs.ts'
import { appendAudit } from '#src/modules/staff/audit.ts'
import { auditHeads } from '#src/modules/staff/audit-heads.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { staffToken } from '#testing/people/staff.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { CIPHER, SECRET_KEY } from '#testing/product/secret-key.ts'
import { readInstant } from './note-restore.ts'

const COMMAND = fileURLToPath(new URL('./note-restore.ts', import.meta.url))

/** Runs the command; returns what it printed, whether it succeeded or not. */
function run(args: string[], environment: Record<string, string>): Promise<string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const options = {
    cwd: temporaryFolder(),
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], options, (_error, out, err) =>
      resolve(out + err),
    )
  })
}

it.each([
  ['--to', '2026-11-22 21:00:00'],
  ['--to', '2199-01-01T00:00:00Z'],
  ['--at', '2026-11-22T21:00:00Z'],
])('npm run restored %s %s says what is wrong, and what is right', (...args) => {
  expect(() => readInstant(args)).toThrow(
    /(--to has to be a past instant|Unknown option '--at')[\s\S]*npm run restored -- --to/,
  )
})

it('npm run restored writes the mark into the file of the process that runs jobs', async () => {
  const database = await createTestDatabase()
  const session = await staffToken(database)
  await database.db.transaction((tx) =>
    appendAudit(tx, { session, action: 'tested', subject: 'test:1', details: {} }),
  )
  const dataDir = temporaryFolder()
  const { jobs: DATABASE_URL } = database.addresses
  const environment = { ROLE: 'jobs', DATABASE_URL, SECRET_KEY, DATA_DIR: dataDir }
  const instant = ['--to', new Date(Date.now() - 60_000).toISOString()]

  const { log } = captureLog()
  const heads = auditHeads(dataDir)
  const deps = { db: database.db, cipher: CIPHER, heads, now: Date.now, log }
  await writeAuditHead(deps)
  expect(await run(instant, environment)).toContain('there is nothing to note')
  const lost = await signAuditLog(deps)
  heads.add(
    { id: (lost?.id ?? 0) + 1, hash: '0'.repeat(64), mac: '0'.repeat(64), keyId: 'gone' },
    Date.now(),
  )
  expect(await run(instant, environment)).toContain('1 ends from row')
  expect(heads.all().at(-1)?.restored).toBeDefined()
})
