/** What root writes in the data folder of an ordinary user, who starts the product himself the next time. */
import { chownSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localKeys } from '#src/adapters/local-keys.ts'
import { lockDataFolder } from '#src/adapters/postgres/data-folder-lock.ts'
import { clusterFiles, makeHome } from '#src/adapters/postgres/postgres-cluster.ts'
import { auditHeads } from '#src/modules/staff/audit-heads.ts'
import { demoStaffFile, rewriteDemoStaff } from '#src/modules/staff/demo-staff.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'

const USER = { uid: 65_534, gid: 65_533 }

it.skipIf(process.getuid?.() !== 0)('belongs to that user', () => {
  const folder = temporaryFolder()
  chownSync(folder, USER.uid, USER.gid)
  lockDataFolder({ folder }).release()
  localKeys(folder)
  const hash = '0'.repeat(64)
  auditHeads(folder).add({ id: 1, hash, mac: hash, keyId: 'key' }, 0)
  const owner = { name: 'owner', role: 'owner', password: '', totpSecret: '', otpauth: '' } as const
  const { totpSecret: totp_secret, ...written } = owner
  writeFileSync(demoStaffFile(folder), JSON.stringify({ ...written, totp_secret, others: [] }))
  rewriteDemoStaff(folder, owner)
  makeHome(clusterFiles(folder))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  expect(files).toEqual([
    ...['audit', 'audit/heads.jsonl', 'demo-staff.json', 'keys.json'],
    ...['postgres', 'sum28.lock', 'sum28.pid'],
  ])
  for (const file of files) expect([file, statSync(join(folder, file))]).toMatchObject([file, USER])
})
