/** What the database itself checks when a member enrols, is reset or closed, or makes new recovery codes. */
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { enrolMember, replaceRecoveryCodes, storeEnrolmentSecret } from './enrol-staff.ts'

const CHECKED = { passwordHash: 'hash', address: '192.0.2.1' }
const CODE = Buffer.alloc(32, 1)
const secret = (text: string) => Buffer.from(text)

/** A member with a first password; by default one who may enrol. */
async function invite(
  { owner }: TestDatabase,
  { active = true, enrolledAt = null }: { active?: boolean; enrolledAt?: string | null } = {},
): Promise<number> {
  const rows = await owner.query<{ id: number }>(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, active, enrolled_at)
     values ('ann', 'support', 'hash', 'secret', 'key', $1, $2) returning id`,
    [active, enrolledAt],
  )
  return only(rows).id
}

/** All that enrolment writes. */
async function written({ owner }: TestDatabase) {
  return {
    members: await owner.query(
      `select password_hash, convert_from(encrypted_totp_secret, 'UTF8') as secret, totp_key_id, totp_time_step,
         enrolled_at from staff.member order by id`,
    ),
    codes: await owner.query('select code_hash from staff.recovery_code'),
    actions: await actions(owner),
  }
}

async function actions(owner: TestDatabase['owner']): Promise<string[]> {
  const rows = await owner.query<{ action: string }>('select action from staff.audit order by id')
  return rows.map(({ action }) => action)
}

const begin = ({ db }: TestDatabase, id: number, passwordHash = 'hash') =>
  storeEnrolmentSecret(db, {
    ...{ ...CHECKED, id, passwordHash },
    ...{ encryptedTotpSecret: secret('next'), totpKeyId: 'next key' },
  })

const confirm = (
  { db }: TestDatabase,
  id: number,
  {
    passwordHash = 'hash',
    totpSecret = 'secret',
  }: { passwordHash?: string; totpSecret?: string } = {},
) =>
  enrolMember(db, {
    ...{ ...CHECKED, id, passwordHash, encryptedTotpSecret: secret(totpSecret) },
    ...{ step: 7, newPasswordHash: 'own hash', codeHashes: [CODE] },
  })

it('a member who may enrol gets another secret, and enrols with it', async () => {
  const database = await createTestDatabase()
  const id = await invite(database)
  expect(await begin(database, id)).toBe(true)
  expect(await confirm(database, id, { totpSecret: 'next' })).toBe(true)
  expect(await written(database)).toMatchObject({
    members: [
      {
        ...{ password_hash: 'own hash', secret: 'next', totp_key_id: 'next key' },
        ...{ totp_time_step: 7n, enrolled_at: expect.any(Number) },
      },
    ],
    codes: [{ code_hash: CODE }],
    actions: ['enrolment_begun', 'enrolled'],
  })
})

it.each([
  ['whose account is closed', { active: false }, {}],
  ['who has enrolled', { enrolledAt: '2026-11-20 00:00Z' }, {}],
  ['whose password has changed since it was checked', {}, { passwordHash: 'earlier hash' }],
])('neither begins nor ends the enrolment of a member %s', async (_who, member, checked) => {
  const database = await createTestDatabase()
  const id = await invite(database, member)
  const before = await written(database)
  expect(await begin(database, id, 'passwordHash' in checked ? checked.passwordHash : 'hash')).toBe(
    false,
  )
  expect(await confirm(database, id, checked)).toBe(false)
  expect(await written(database)).toEqual(before)
})

it('a member does not enrol if his secret has changed since the code was checked', async () => {
  const database = await createTestDatabase()
  const id = await invite(database)
  const before = await written(database)
  expect(await confirm(database, id, { totpSecret: 'earlier secret' })).toBe(false)
  expect(await written(database)).toEqual(before)
})

it.each([
  ['reset', `select staff.reset_member('ann', null, 'new', 'new', 'new', 'test', true)`, 'reset'],
  ['closed', `select staff.close_member('ann', 'test')`, 'inactive'],
])('when a member is %s, a session that ended before keeps its end', async (_what, sql, by) => {
  const database = await createTestDatabase()
  const { db, owner } = database
  await invite(database)
  const logOut = Date.UTC(2026, 10, 20)
  const now = logOut + 60_000
  await staffToken(database, { name: 'ann' })
  await owner.query(`update staff.session set ended_at = $1, ended_by = 'logout'`, [
    new Date(logOut),
  ])
  await staffToken(database, { name: 'ann' })
  await database.freezeClock(now)
  await db.query(sql)
  const sessions = await owner.query('select ended_at, ended_by from staff.session order by id')
  expect(sessions).toEqual([
    { ended_at: logOut, ended_by: 'logout' },
    { ended_at: now, ended_by: by },
  ])
})

it('new recovery codes are logged', async () => {
  const database = await createTestDatabase()
  const { db, owner } = database
  const session = await staffToken(database, { role: 'support' })
  await db.query('select staff.note_confirmation($1)', [session])
  await replaceRecoveryCodes(db, { codeHashes: [CODE], session })
  expect(await actions(owner)).toEqual(['recovery_codes_renewed'])
})
