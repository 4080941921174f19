/** Makes, resets and closes the accounts of staff. */
import { randomBytes } from 'node:crypto'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { hashPassword } from '#src/modules/accounts/password.ts'
import { newTotpSecret, totpSetup } from '#src/secrets/one-time-codes.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { addMember, changeCredentials, type StoredCredentials } from './staff-store.ts'
import { encryptTotpSecret } from './totp.ts'

/** What a member signs in with; shown once, and not stored in readable form. */
export type Credentials = {
  name: string
  role: StaffRole
  password: string
  /** Base32; void for a member who still has to enrol. */
  totpSecret: string
  /** `otpauth://…`, the content of a QR code for authenticator apps. */
  otpauth: string
}

export type StaffRefusal = 'name_malformed' | 'name_taken' | 'nobody'

export function isStaffRole(text: string): text is StaffRole {
  return (STAFF_ROLES as readonly string[]).includes(text)
}

/** In the form of the database. */
function isStaffName(name: string): boolean {
  return /^[a-z][a-z0-9_.-]{1,31}$/.test(name)
}

/**
 * Makes an account with a password and a TOTP secret of its own.
 *
 * @param member `enrolled` false: he enrols at his first sign-in, with the password, and the secret is void
 */
export async function makeStaff(
  { tx, cipher }: { tx: Transaction; cipher: SecretCipher },
  {
    name,
    role,
    by,
    enrolled = true,
  }: { name: string; role: StaffRole; by: string; enrolled?: boolean },
): Promise<Credentials | StaffRefusal> {
  if (!isStaffName(name)) return 'name_malformed'
  const { shown, stored } = await newCredentials(cipher, name)
  if (!(await addMember(tx, { name, role, by, ...stored, enrolled }))) return 'name_taken'
  return { name, role, ...shown }
}

/**
 * Gives a member a new password and TOTP secret and ends his sessions. A closed account is opened again.
 *
 * @param change `role` null: as before; `enrolled` false: he enrols again, and the secret is void
 */
export async function resetStaff(
  { db, cipher }: { db: Database; cipher: SecretCipher },
  change: { name: string; role: StaffRole | null; by: string; enrolled?: boolean },
): Promise<Credentials | StaffRefusal> {
  const { shown, stored } = await newCredentials(cipher, change.name)
  const role = await changeCredentials(db, { enrolled: true, ...change, ...stored })
  return role === null ? 'nobody' : { name: change.name, role, ...shown }
}

export async function closeStaff(
  db: Database,
  { name, by }: { name: string; by: string },
): Promise<'nobody' | null> {
  const closed = await callFunction<boolean>(db, 'staff.close_member', name, by)
  return closed ? null : 'nobody'
}

export async function newCredentials(
  cipher: SecretCipher,
  name: string,
): Promise<{
  shown: Omit<Credentials, 'name' | 'role'>
  stored: Omit<StoredCredentials, 'enrolled'>
}> {
  const secret = newTotpSecret()
  // 144 bits, and short enough to be typed.
  const password = randomBytes(18).toString('base64url')
  return {
    shown: { password, ...totpSetup(secret, name) },
    stored: {
      passwordHash: await hashPassword(password),
      ...encryptTotpSecret(cipher, { name, secret }),
    },
  }
}
