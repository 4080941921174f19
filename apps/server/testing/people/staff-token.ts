/** Sessions of staff for tests below the API: their tokens prove to the database who acts. */
import { createHash, randomBytes } from 'node:crypto'
import type { StaffRole } from '@sum28/contract/route.ts'
import { only } from '#src/db/database.ts'
import type { TestDatabase } from '../database/test-database.ts'

/** Begins a session of a member, by default a new one, and returns its token. */
export async function staffToken(
  { owner }: Pick<TestDatabase, 'owner'>,
  { role = 'owner', name }: { role?: StaffRole; name?: string } = {},
): Promise<string> {
  const token = randomBytes(12).toString('hex')
  const { id } = only(
    await owner.query<{ id: number }>(
      name === undefined
        ? `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id)
           values ('m' || $1, $2, '', '', '') returning id`
        : `select id from staff.member where name = $1 or $2::text is null`,
      [name ?? token, name === undefined ? role : ''],
    ),
  )
  await owner.query(
    `insert into staff.session (token_hash, staff_id, address) values ($1, $2, 'test')`,
    [createHash('sha256').update(token).digest(), id],
  )
  return token
}
