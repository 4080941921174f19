/** What the database itself checks when a member enrols, is reset or closed, or makes or uses recovery codes or passkeys. */
import { expect, it } from 'vitest'
import { callFunction, type Queryable } from '#src/db/database.ts'
import { hashSecret } from '#src/modules/accounts/session.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { useRecoveryCode } from './recovery-codes.ts'

const { database, db, owner } = eachTestDatabase()

const ADDRESS = '192.0.2.1'
const CODE = Buffer.alloc(32, 1)
const secret = (text: string) => Buffer.from(text)

/** A member with a first password; by default one who may enrol. */
async function invite({
  active = true,
  enrolledAt = null,
}: {
  active?: boolean
  enrolledAt?: string | null
} = {}): Promise<number> {
  return owner.value<number>(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, active, enrolled_at)
     values ('ann', 'support', 'hash', 'secret', 'key', $1, $2) returning id`,
    [active, enrolledAt],
  )
}

const actions = () => owner.column<string>('select action from staff.audit order by id')

/** All that enrolment writes. */
const written = () =>
  owner.column<string>(
    `select member::text from staff.member union all select recovery_code::text from staff.recovery_code
     union all select audit::text from staff.audit`,
  )

const begin = (id: number, passwordHash = 'hash') =>
  callFunction<boolean>(
    ...([db, 'staff.begin_enrolment', id, passwordHash, secret('next')] as const),
    ...['next key', ADDRESS],
  )

const confirm = (id: number, { passwordHash = 'hash', totpSecret = 'secret' } = {}) =>
  callFunction<boolean>(
    ...([db, 'staff.confirm_enrolment', id, passwordHash, secret(totpSecret)] as const),
    ...[7, 'own hash', [CODE], ADDRESS],
  )

it('a member enrols by the secret that he was given last, and not by an earlier one', async () => {
  const id = await invite()
  expect(await begin(id)).toBe(true)
  expect(await confirm(id)).toBe(false)
  expect(await confirm(id, { totpSecret: 'next' })).toBe(true)
  // The secret can be decrypted, and the code by which he enrolled is used.
  const kept = 'select totp_key_id, totp_time_step from staff.member'
  expect(await owner.query(kept)).toEqual([{ totp_key_id: 'next key', totp_time_step: 7n }])
})

it.each<[string, Parameters<typeof invite>[0], { passwordHash?: string }]>([
  ['whose account is closed', { active: false }, {}],
  ['who has enrolled', { enrolledAt: '2026-11-20 00:00Z' }, {}],
  ['whose password has changed since it was checked', {}, { passwordHash: 'earlier hash' }],
])('neither begins nor ends the enrolment of a member %s', async (_who, member, checked) => {
  const id = await invite(member)
  const before = await written()
  expect(await begin(id, checked.passwordHash)).toBe(false)
  expect(await confirm(id, checked)).toBe(false)
  expect(await written()).toEqual(before)
})

it.each([
  ['reset', `select staff.reset_member('ann', null, 'new', 'new', 'new', $1, true)`, 'reset'],
  ['closed', `select staff.close_member('ann', $1)`, 'inactive'],
  ['reset by a colleague', `select staff.reset_colleague('ann', 'a@b.c', '', '', '', $1)`, 'reset'],
  ['closed by a colleague', `select staff.close_colleague('ann', $1)`, 'inactive'],
])('when a member is %s, a session that ended before keeps its end', async (_what, sql, by) => {
  const id = await invite()
  await owner.query(`update staff.member set email = 'a@b.c'`)
  const logOut = Date.UTC(2026, 10, 20)
  const now = logOut + 60_000
  await staffToken(database, { name: 'ann' })
  await owner.query(`update staff.session set ended_at = $1, ended_by = 'logout'`, [
    new Date(logOut),
  ])
  await staffToken(database, { name: 'ann' })
  await database.freezeClock(now)
  await db.query(sql, [await staffToken(database)])
  const sessions = await owner.query(
    'select ended_at, ended_by from staff.session where staff_id = $1 order by id',
    [id],
  )
  expect(sessions).toEqual([
    { ended_at: logOut, ended_by: 'logout' },
    { ended_at: now, ended_by: by },
  ])
})

const NOW = Date.UTC(2026, 10, 20, 12)
const CODE_OF_ANN = hashSecret('a code of ann')

/** Ann, who has enrolled and has one code, and Bob, who has another. */
async function twoMembers() {
  await database.freezeClock(NOW)
  await owner.query(
    `insert into staff.member (name, role, password_hash, encrypted_totp_secret, totp_key_id, enrolled_at)
     select name, 'support', 'hash', '', '', app.now() from unnest(array['ann', 'bob']) name order by name`,
  )
  await owner.query(
    'insert into staff.recovery_code (code_hash, staff_id) values ($1, 1), ($2, 2)',
    [CODE_OF_ANN, hashSecret('a code of bob')],
  )
}

type Use = { id?: number | null; passwordHash?: string; codeHash?: Buffer }

const use = (change: Use = {}) =>
  useRecoveryCode(db, {
    id: 1,
    passwordHash: 'hash',
    codeHash: CODE_OF_ANN,
    address: '192.0.2.1',
    ...change,
  })

const usesOf = async () => ({
  used: await owner.query('select staff_id, used_at from staff.recovery_code order by staff_id'),
  log: await owner.query('select action, subject, staff_id, details from staff.audit'),
})

it.each<[string, string | null, Use]>([
  ['of another member', null, { codeHash: hashSecret('a code of bob') }],
  ['that does not exist', null, { codeHash: hashSecret('made up') }],
  ['without a member', null, { id: null }],
  ['with a password that has changed since it was checked', null, { passwordHash: 'earlier' }],
  ['of a member who has not enrolled', 'enrolled_at = null', {}],
  ['of a member whose account is closed', 'active = false', {}],
])('a recovery code %s is not used', async (_which, change, given) => {
  await twoMembers()
  if (change) await owner.query(`update staff.member set ${change} where id = 1`)
  const before = await usesOf()
  expect(await use(given)).toBe(false)
  expect(await usesOf()).toEqual(before)
})

it('new codes replace those of their member, and nobody else’s', async () => {
  await twoMembers()
  const session = await staffToken(database, { name: 'ann' })
  const [first, second] = [hashSecret('first'), hashSecret('second')]
  const replace = () =>
    callFunction<string>(db, 'staff.renew_recovery_codes', [first, second], session)
  expect(await replace()).toBe('proof_required')
  await db.query('select staff.note_confirmation($1)', [session])
  expect(await replace()).toBe('renewed')
  // One proof, one change.
  expect(await replace()).toBe('proof_required')
  expect(await actions()).toEqual(['recovery_codes_renewed'])
  const codes = await owner.query(
    'select staff_id, code_hash from staff.recovery_code order by staff_id, code_hash = $1',
    [second],
  )
  expect(codes).toEqual([
    { staff_id: 1, code_hash: first },
    { staff_id: 1, code_hash: second },
    { staff_id: 2, code_hash: hashSecret('a code of bob') },
  ])
})

/** A member of a role that needs a passkey, with two of them, and the functions as he calls them. */
async function withPasskeys() {
  const session = await staffToken(database)
  const add = (credential: number, most: number, by: Queryable = db) =>
    callFunction<string>(
      ...([by, 'staff.add_passkey', Buffer.alloc(16, credential), secret('key')] as const),
      ...[Buffer.alloc(32), 4, [], `Key ${credential}`, most, session],
    )
  for (const credential of [1, 2]) expect(await add(credential, 2)).toBe('added')
  await owner.query(`insert into staff.passkey_role (role) values ('owner')`)
  const remove = (id: number, by: Queryable = db) =>
    callFunction<string>(by, 'staff.remove_passkey', id, session)
  const use = (count: number, by: Queryable = db) =>
    callFunction<string>(by, 'staff.use_passkey', 1, count, new Date(), ADDRESS)
  return { add, remove, use }
}

it('of two uses of a passkey with one count at once, the second is a copy’s', async () => {
  const { use } = await withPasskeys()
  const second = await answerAfter(database, { first: (tx) => use(5, tx), second: () => use(5) })
  expect(second).toBe('passkey_cloned')
})

it('of the last two passkeys that are removed at once, one stays', async () => {
  const { remove } = await withPasskeys()
  const second = await answerAfter(database, {
    first: (tx) => remove(1, tx),
    second: () => remove(2),
  })
  expect(second).toBe('passkey_needed')
})

it('of two passkeys that are added at once, no more are kept than may be, and none twice', async () => {
  const { add } = await withPasskeys()
  expect(await add(1, 3)).toBe('passkey_refused')
  const second = await answerAfter(database, {
    first: (tx) => add(3, 3, tx),
    second: () => add(4, 3),
  })
  expect(second).toBe('passkeys_full')
})
