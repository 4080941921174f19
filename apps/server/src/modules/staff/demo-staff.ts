/**
 * The demo's own staff, with their credentials in a file: one of each role, and a second of finance, because a large
 * withdrawal needs two people who approve it and a third who pays.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import * as z from 'zod'
import type { Database } from '#src/db/database.ts'
import { syncFolder } from '#src/process/sync-folder.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { type Credentials, newCredentials } from './make-staff.ts'
import { addMember, hasMembers } from './staff-store.ts'

const credentials = z.object({
  name: z.string(),
  role: z.enum(STAFF_ROLES),
  password: z.string(),
  totp_secret: z.string(),
  otpauth: z.string(),
})
const demoStaff = credentials.extend({ others: z.array(credentials) })
type DemoStaff = z.infer<typeof demoStaff>

const PEOPLE: readonly { name: string; role: StaffRole }[] = [
  { name: 'owner', role: 'owner' },
  { name: 'finance', role: 'finance' },
  { name: 'cashier', role: 'finance' },
  { name: 'support', role: 'support' },
  { name: 'editor', role: 'editor' },
  { name: 'auditor', role: 'auditor' },
]

export function demoStaffFile(dataDir: string): string {
  return join(dataDir, 'demo-staff.json')
}

/** Makes the demo's staff if there is no member yet, and writes their credentials to the data folder. */
export async function ensureDemoStaff({
  db,
  cipher,
  dataDir,
}: {
  db: Database
  cipher: SecretCipher
  dataDir: string
}): Promise<void> {
  if (await hasMembers(db)) return
  const people: (Credentials & { stored: Awaited<ReturnType<typeof newCredentials>>['stored'] })[] =
    []
  // Each takes a hash. Another process that makes the staff too would wait for the lock meanwhile, longer than it may.
  for (const person of PEOPLE) {
    const { shown, stored } = await newCredentials(cipher, person.name)
    people.push({ ...person, ...shown, stored })
  }
  await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('staff.first members'))`)
    if (await hasMembers(tx)) return
    for (const { name, role, stored } of people) {
      const isAdded = await addMember(tx, { name, role, by: 'demo', ...stored, enrolled: true })
      if (!isAdded) throw new Error(`the demo's ${name} is there already`)
    }
    const [owner, ...others] = people.map(written)
    if (!owner) throw new Error('the demo has no owner')
    // Before the accounts are stored: a surplus file is overwritten, but a missing file would lock us out.
    write(dataDir, { ...owner, others })
  })
}

/** Replaces old credentials with new ones, if the demo's file contains that person. */
export function rewriteDemoStaff(dataDir: string, person: Credentials): boolean {
  const file = readDemoStaff(dataDir)
  if (!file) return false
  const { others, ...owner } = file
  const before = [owner, ...others]
  if (!before.some(({ name }) => name === person.name)) return false
  const [first = owner, ...rest] = before.map((each) =>
    each.name === person.name ? written(person) : each,
  )
  write(dataDir, { ...first, others: rest })
  return true
}

/** The demo's staff; null without the file, or if it is incomplete. */
export function readDemoStaff(dataDir: string): DemoStaff | null {
  const file = demoStaffFile(dataDir)
  if (!existsSync(file)) return null
  try {
    return demoStaff.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** A person of the demo's file; null if it contains no such name. */
export function demoPerson(dataDir: string, name: string): z.infer<typeof credentials> | null {
  const file = readDemoStaff(dataDir)
  return (file && [file, ...file.others].find((each) => each.name === name)) ?? null
}

function written({ name, role, password, totpSecret, otpauth }: Credentials) {
  return { name, role, password, totp_secret: totpSecret, otpauth }
}

/** Renamed when complete and on disk, so that it is never partial, and never readable by others. */
function write(dataDir: string, staff: DemoStaff): void {
  const file = demoStaffFile(dataDir)
  const made = `${file}.${process.pid}`
  writeFileSync(made, `${JSON.stringify(staff, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  giveToOwner(made)
  renameSync(made, file)
  syncFolder(dataDir)
}
