/** What the database checks when a recovery code is used, and whose codes are replaced. */
import { expect, it } from 'vitest'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { replaceRecoveryCodes } from './enrol-staff.ts'
import { useRecoveryCode } from './recovery-codes.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const CODE = hashSecret('a code of ann')

/** Ann, who has enrolled and has one code, and Bob, who has another. */
async function stage() {
  const database = await createTestDatabase()
  await database.freezeClock(NOW)
  await database.owner.query(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, enrolled_at)
     select name, 'support', 'hash', '', '', app.now() from unnest(array['ann', 'bob']) name order by name`,
  )
  await database.owner.query(
    'insert into staff.recovery_code (code_hash, staff_id) values ($1, 1), ($2, 2)',
    [CODE, hashSecret('a code of bob')],
  )
  return database
}

type Use = { id?: number | null; passwordHash?: string; codeHash?: Buffer }

const use = ({ db }: TestDatabase, change: Use = {}) =>
  useRecoveryCode(db, {
    ...{ id: 1, passwordHash: 'hash', codeHash: CODE, address: '192.0.2.1' },
    ...change,
  })

const written = async ({ owner }: TestDatabase) => ({
  used: await owner.query('select staff_id, used_at from staff.recovery_code order by staff_id'),
  log: await owner.query('select action, subject, staff_id, details from staff.audit'),
})

it('a recovery code is used once, and the log says so', async () => {
  const database = await stage()
  expect(await use(database)).toBe(true)
  const first = await written(database)
  expect(first).toEqual({
    used: [
      { staff_id: 1, used_at: NOW },
      { staff_id: 2, used_at: null },
    ],
    log: [
      {
        ...{ action: 'recovery_code_used', subject: 'staff:1', staff_id: 1 },
        details: { address: '192.0.2.1' },
      },
    ],
  })
  await database.freezeClock(NOW + 1_000)
  expect(await use(database)).toBe(false)
  expect(await written(database)).toEqual(first)
})

it.each<[string, string | null, Use]>([
  ['of another member', null, { codeHash: hashSecret('a code of bob') }],
  ['that does not exist', null, { codeHash: hashSecret('made up') }],
  ['without a member', null, { id: null }],
  ['with a password that has changed since it was checked', null, { passwordHash: 'earlier' }],
  ['of a member who has not enrolled', 'enrolled_at = null', {}],
  ['of a member whose account is closed', 'active = false', {}],
])('a recovery code %s is not used', async (_which, change, given) => {
  const database = await stage()
  if (change) await database.owner.query(`update staff.member set ${change} where id = 1`)
  const before = await written(database)
  expect(await use(database, given)).toBe(false)
  expect(await written(database)).toEqual(before)
})

it('new codes replace those of their member, and nobody else’s', async () => {
  const database = await stage()
  const session = await staffToken(database, { name: 'ann' })
  const [first, second] = [hashSecret('first'), hashSecret('second')]
  const replace = () => replaceRecoveryCodes(database.db, { codeHashes: [first, second], session })
  expect(await replace()).toBe('proof_required')
  await database.db.query('select staff.note_confirmation($1)', [session])
  expect(await replace()).toBe('renewed')
  // One proof, one change.
  expect(await replace()).toBe('proof_required')
  const codes = await database.owner.query(
    'select staff_id, code_hash from staff.recovery_code order by staff_id, code_hash = $1',
    [second],
  )
  expect(codes).toEqual([
    { staff_id: 1, code_hash: first },
    { staff_id: 1, code_hash: second },
    { staff_id: 2, code_hash: hashSecret('a code of bob') },
  ])
})
