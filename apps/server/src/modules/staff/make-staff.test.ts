import { describe, expect, it } from 'vitest'
import { DecryptionFailed, secretCipher } from '#src/secrets/secret-cipher.ts'
import { loggedActions } from '#testing/database/stored-rows.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { codeOfTimeStep, type StaffLogin } from '#testing/people/staff.ts'
import { logInStaff, staffGuard } from './log-in-staff.ts'
import { type Credentials, closeStaff, makeStaff, resetStaff } from './make-staff.ts'
import { staffFinder } from './staff-session.ts'

const { db, owner } = eachTestDatabase()

const CIPHER = secretCipher('a key for tests, of more than 32 characters')

function make(name: string) {
  const member = { name, role: 'support', by: 'test' } as const
  return db.transaction((tx) => makeStaff({ tx, cipher: CIPHER }, member))
}

/** The credentials, where a test knows that there are some. */
function credentials(made: Credentials | string): Credentials {
  if (typeof made === 'string') throw new Error(`nobody was made: ${made}`)
  return made
}

function logIn({ name, password, totpSecret }: StaffLogin) {
  const totp = codeOfTimeStep(totpSecret, Math.floor(Date.now() / 30_000))
  return logInStaff(
    { db, cipher: CIPHER, guard: staffGuard({ db, key: Buffer.alloc(32), on: false }) },
    { account: name, password, totp, address: '192.0.2.1' },
  )
}

const REFUSED = { refused: 'account_or_password_wrong' }

describe('an account of staff', () => {
  it('has a long password, a secret of 160 bits and an address for authenticator apps', async () => {
    const made = credentials(await make('ann'))
    expect(made).toMatchObject({ name: 'ann', role: 'support' })
    expect(Buffer.from(made.password, 'base64url')).toHaveLength(18)
    expect(made.totpSecret).toMatch(/^[A-Z2-7]{32}$/)
    expect(made.otpauth).toMatch(/^otpauth:\/\/totp\/Sum28:ann\?/)
    expect(made.otpauth).toContain(`secret=${made.totpSecret}`)
    expect(await logIn(made)).toMatchObject({ name: 'ann', role: 'support' })
    expect(await loggedActions(db, 2)).toMatchObject([
      { action: 'signed_in' },
      { action: 'staff_made', staff: null, details: { name: 'ann', role: 'support', by: 'test' } },
    ])
  })

  it('is made once for a name, also by two at once, and not for a malformed name', async () => {
    const names = ['', 'a', '1st', 'Ann', 'ann lee', 'ann\n', 'ä'.repeat(3), 'a'.repeat(33)]
    for (const name of names) expect(await make(name), name).toBe('name_malformed')
    const made = await Promise.all([make('ann'), make('ann')])
    expect(made.filter((each) => each === 'name_taken')).toHaveLength(1)
    expect(await make('ann')).toBe('name_taken')
  })

  it('is reset: the old password, secret and sessions are invalid, and the role stays; is closed, and opened again by a reset', async () => {
    const old = credentials(await make('ann'))
    const session = await logIn(old)
    if (!('token' in session)) throw new Error('ann did not sign in')
    const change = { name: 'ann', role: null, by: 'test' }
    const fresh = credentials(await resetStaff({ db, cipher: CIPHER }, change))
    expect(fresh.role).toBe('support')
    expect(await staffFinder(db)(session.token)).toEqual({ refused: 'session_replaced' })
    expect(await logIn({ ...fresh, password: old.password })).toEqual(REFUSED)
    expect(await logIn({ ...fresh, totpSecret: old.totpSecret })).toEqual(REFUSED)
    expect(await logIn(fresh)).toMatchObject({ name: 'ann' })
    expect(await closeStaff(db, { name: 'ann', by: 'test' })).toBeNull()
    await owner.query('update staff.member set totp_time_step = 0')
    expect(await logIn(fresh)).toEqual(REFUSED)
    const again = credentials(
      await resetStaff({ db, cipher: CIPHER }, { ...change, role: 'owner' }),
    )
    expect(await logIn(again)).toMatchObject({ name: 'ann', role: 'owner' })
    expect(await resetStaff({ db, cipher: CIPHER }, { ...change, name: 'bob' })).toBe('nobody')
    expect(await closeStaff(db, { name: 'bob', by: 'test' })).toBe('nobody')
    const changes = (await loggedActions(db)).filter(({ action }) => action.startsWith('staff_'))
    expect(changes.map(({ action }) => action)).toEqual([
      ...['staff_reset', 'staff_closed', 'staff_reset', 'staff_made'],
    ])
  })

  it('never begins a session with a password that is being replaced at that moment', async () => {
    let member = credentials(await make('ann'))
    for (let round = 0; round < 12; round += 1) {
      await owner.query('update staff.member set totp_time_step = 0')
      const change = { name: 'ann', role: null, by: 'test' }
      const [session, fresh] = await Promise.all([
        logIn(member),
        resetStaff({ db, cipher: CIPHER }, change),
      ])
      if ('token' in session) {
        expect(await staffFinder(db)(session.token)).toEqual({ refused: 'session_replaced' })
      }
      member = credentials(fresh)
    }
  })
})

// That it is encrypted again with a new key: reencrypt-numbers.test.ts.
it('a TOTP secret can be decrypted only in its member’s row', async () => {
  const ann = credentials(await make('ann'))
  credentials(await make('bob'))
  await owner.query(
    `update staff.member set encrypted_totp_secret =
       (select encrypted_totp_secret from staff.member where name = 'bob') where name = 'ann'`,
  )
  await expect(logIn(ann)).rejects.toThrow(DecryptionFailed)
})
