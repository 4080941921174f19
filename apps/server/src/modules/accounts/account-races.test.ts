/** Changes of one account, sign-ins and their end at once: what comes second finds what was first, and is refused or ended. */
import { describe, expect, it } from 'vitest'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { queuedCode } from '#testing/database/stored-rows.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { addSeatedPlayer, changePlayer, heldSince } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { type CodeEvent, sendCode } from './email-code.ts'
import { isKnownDevice, noteDevice } from './known-device.ts'
import { hashPassword } from './password.ts'
import { register } from './register.ts'
import { endOtherDevices, endReplayedFamily, rememberDevice } from './remember-device.ts'
import { resetPassword } from './reset-password.ts'
import { checkSecurityCode, pepperOf, setSecurityCode } from './security-code.ts'
import { putCode, replacePassword } from './security-store.ts'
import { hashSecret, sessionFinder, startSession } from './session.ts'
import { signInGuard } from './sign-in-guard.ts'

const { database, db, owner } = eachTestDatabase()

const KEY = Buffer.alloc(32, 3)
const NETWORK = '198.51.100.7'
const PASSWORD = 'a long enough passphrase'
const NEW_PASSWORD = 'another long passphrase'

/** A player with a password, and what the use cases need. */
async function account() {
  const { id: playerId, token } = await addSeatedPlayer(database, { u: 0, name: 'in_a_race' })
  const session = hashSecret(token)
  const passwordHash = await hashPassword(PASSWORD)
  await changePlayer(database, playerId, `password_hash = '${passwordHash}'`)
  const guard = signInGuard({ db, key: KEY, on: false })
  const deps = {
    db,
    cipher: CIPHER,
    codeKey: KEY,
    outbox: queueOutbox,
    guard,
    limits: false,
    noteMark: async () => null,
  }
  /** Sets a security code by a call of the player. */
  const setCode = (newCode: string, oldCode?: string) =>
    setSecurityCode(deps, { playerId, session, network: NETWORK, groupId: 1, newCode, oldCode })
  /** The stored hash, if this is the code. */
  const hashOf = async (code: string) => {
    const checked = await checkSecurityCode(deps, { playerId, code, network: NETWORK })
    return isRefusal(checked) ? null : checked.codeHash
  }
  const toldOf = () => owner.column<string>('select kind from inbox.message order by id')
  const storedPassword = () =>
    owner.value<string>('select password_hash from accounts.player where id = $1', [playerId])
  return {
    playerId,
    session,
    passwordHash,
    toldOf,
    deps,
    email: 'in_a_race@example.org',
    setCode,
    hashOf,
    storedPassword,
  }
}

type Account = Awaited<ReturnType<typeof account>>

/** The answer to a call that waits for a change which is not committed yet. */
const meanwhile = <Result>(
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<Result>,
) => answerAfter(database, { first, second })

describe('two right changes of a security code at once', () => {
  it('leave the code of the first; the second is refused because its old code is wrong now', async () => {
    const { deps, playerId, setCode, hashOf, toldOf } = await account()
    await setCode('161803')
    let held: number | null = null
    const oldHash = (await hashOf('161803')) ?? ''

    const codeHash = await hashPassword('326400', pepperOf(deps.cipher, playerId))
    const second = await meanwhile(
      async (tx) => {
        await putCode(tx, { playerId, codeHash, oldHash })
        const sql = 'select sensitive_changed_at from accounts.player where id = $1'
        held = await tx.value<number>(sql, [playerId])
      },
      () => setCode('577215', '161803'),
    )
    expect(second).toMatchObject({ refused: 'security_code_wrong' })
    expect(await hashOf('326400')).toBe(codeHash)
    expect([await hashOf('161803'), await hashOf('577215')]).toEqual([null, null])
    // The refused one has started no hold and sent no notice.
    expect(await heldSince(database, playerId)).toBe(held)
    expect(await toldOf()).toEqual(['security_code_changed'])
    // Nor can one succeed that compared the old code before the first was stored.
    const stale = (tx: Transaction) => putCode(tx, { playerId, codeHash: 'stale', oldHash })
    expect(await db.transaction(stale)).toBe(false)
    expect(await hashOf('326400')).toBe(codeHash)
  })

  it('leave the first if there was none, and the second must name it', async () => {
    const { deps, playerId, setCode, hashOf } = await account()
    const codeHash = await hashPassword('326400', pepperOf(deps.cipher, playerId))
    const second = await meanwhile(
      (tx) => putCode(tx, { playerId, codeHash, oldHash: null }),
      () => setCode('577215'),
    )
    expect(second).toMatchObject({ refused: 'invalid_input', faults: { old_code: 'required' } })
    expect(await hashOf('326400')).toBe(codeHash)
  })
})

it('a security code is not set by a session that has ended since its check', async () => {
  const { playerId, setCode, toldOf } = await account()
  const token = await staffToken(database)
  const ended = (tx: Transaction) =>
    tx.query('select console_players.end_sessions($1, $2)', [playerId, token])
  const result = await meanwhile(ended, () => setCode('161803'))
  expect(result).toEqual({ refused: 'session_replaced' })
  expect(await setCode('161803')).toEqual({ refused: 'session_replaced' })
  expect(await owner.query('select from accounts.security_code')).toEqual([])
  expect([await heldSince(database, playerId), await toldOf()]).toEqual([null, []])
})

describe('a freeze that is not yet committed', () => {
  const whileFrozen = <Result>(playerId: number, second: () => Promise<Result>) =>
    meanwhile(async (tx) => {
      await tx.query(`update accounts.player set state = 'frozen' where id = $1`, [playerId])
      await tx.query(
        `update accounts.session set ended_at = app.now(), ended_by = 'frozen'
           where player_id = $1 and ended_at is null`,
        [playerId],
      )
    }, second)

  it('allows no new session', async () => {
    const { playerId, passwordHash } = await account()
    const token = await whileFrozen(playerId, () =>
      startSession(db, { playerId, passwordHash, netAtStart: 0n }),
    )
    expect(token).toBeNull()
  })

  it('ends a session that began just before it', async () => {
    const { playerId, passwordHash } = await account()
    const session = await staffToken(database)
    let token: string | null = null
    const result = await meanwhile(
      async (tx) => {
        token = await startSession(tx, { playerId, passwordHash, netAtStart: 0n })
      },
      () => db.value(`select staff.freeze_player($1, 'test', $2)`, [playerId, session]),
    )
    expect(result).toBe('frozen')
    expect(await sessionFinder(db)(token ?? '')).toEqual({ refused: 'session_replaced' })
  })

  it('allows no password reset, and the code stays valid for the time after the freeze', async () => {
    const { playerId, passwordHash, deps, email, storedPassword } = await account()
    const code = await codeFor(deps, email, 'resetpwd')
    const reset = { email, code, newPassword: NEW_PASSWORD, network: NETWORK }
    const result = await whileFrozen(playerId, () => resetPassword(deps, reset))
    expect(result).toEqual({ refused: 'account_locked' })
    expect(await storedPassword()).toBe(passwordHash)
    await changePlayer(database, playerId, `state = 'active'`)
    expect(await resetPassword(deps, reset)).toBeNull()
  })
})

it('a password that is changed twice at once is the first one; the second is refused because its old one is wrong now', async () => {
  const { playerId, passwordHash: before, deps, toldOf, storedPassword } = await account()
  const passwordHash = await hashPassword(NEW_PASSWORD)
  const result = await meanwhile(
    (tx) => replacePassword(tx, { playerId, passwordHash, before, keptSession: null }),
    () =>
      changePassword(deps, {
        playerId,
        username: 'in_a_race',
        session: Buffer.alloc(32),
        oldPassword: PASSWORD,
        newPassword: 'a third long passphrase',
        network: NETWORK,
      }),
  )
  expect(result).toEqual({ refused: 'old_password_wrong' })
  expect(await heldSince(database, playerId)).toBeNull()
  expect(await toldOf()).toEqual([])
  expect(await storedPassword()).toBe(passwordHash)
})

it('a mailed code that is used twice at once resets one password', async () => {
  const { deps, email, passwordHash, storedPassword } = await account()
  const code = await codeFor(deps, email, 'resetpwd')
  const result = await meanwhile(
    (tx) => tx.query('update accounts.email_code set used_at = app.now()'),
    () => resetPassword(deps, { email, code, newPassword: NEW_PASSWORD, network: NETWORK }),
  )
  expect(result).toEqual({ refused: 'email_code_expired' })
  expect(await storedPassword()).toBe(passwordHash)
})

describe('an address that the account no longer has when its code is used', () => {
  it.each([
    ['reset of the password', 'resetpwd'],
    ['change of the address', 'old_email'],
  ] as const)('permits no %s, though the code is still open', async (_what, event) => {
    const { playerId, session, deps, email, passwordHash, storedPassword } = await account()
    const code = await codeFor(deps, email, event)
    const newCode = await codeFor(deps, 'third@example.org', 'new_email')
    const asked = { playerId, session, email: 'third@example.org', network: NETWORK, url: '' }
    const addressOf = `select email from accounts.player where id = ${playerId}`
    const result = await meanwhile(
      (tx) =>
        tx.query(
          `update accounts.player set email = 'owner@example.org', email_key = 'owner@example.org'
           where id = $1`,
          [playerId],
        ),
      () =>
        event === 'resetpwd'
          ? resetPassword(deps, { email, code, newPassword: NEW_PASSWORD, network: NETWORK })
          : changeEmail(deps, { ...asked, oldCode: code, newCode }),
    )
    expect(result).toMatchObject({ refused: 'email_code_expired' })
    expect(await owner.value(addressOf)).toBe('owner@example.org')
    expect(await storedPassword()).toBe(passwordHash)
  })

  it.each(['a change of the address', 'the way back'])('%s voids its codes', async (by) => {
    const { playerId, deps, email } = await account()
    for (const event of ['resetpwd', 'old_email'] as const) {
      await codeFor(deps, email, event)
      await owner.query(`update accounts.email_code set created_at = '2026-01-01'`)
    }
    if (by === 'the way back') {
      await owner.query(
        `insert into accounts.security_link (token_hash, player_id, old_email)
         values ('link', $1, 'owner@example.org')`,
        [playerId],
      )
      await db.query(`select accounts.take_back('link')`)
    } else {
      await db.query(`select accounts.change_email($1, 'new@example.org', 'link')`, [playerId])
    }
    const open = 'select from accounts.email_code where used_at is null'
    expect(await owner.query(open)).toEqual([])
  })
})

it.each([
  ['name', 'Wanted_Name', 'other@example.org', 'username_taken'],
  ['address', 'other_name', 'wanted@example.org', 'email_taken'],
])(
  'a name or an address that two register at once is the first one’s: the %s; the second’s code stays good',
  async (_what, username, email, reason) => {
    const { deps } = await account()
    const code = await codeFor(deps, email, 'register')
    const person = { username, email, code, password: PASSWORD, groupId: 1, adult: true }
    const result = await meanwhile(
      (tx) =>
        tx.query(
          `insert into accounts.player (username, email, email_key, group_id)
         values ('wanted_name', 'wanted@example.org', 'wanted@example.org', 1)`,
        ),
      () => register(deps, { ...person, inviterId: undefined, lang: 'en', network: NETWORK }),
    )
    expect(result).toEqual({ refused: reason })
    const used = 'select from accounts.email_code where used_at is not null'
    expect(await owner.query(used)).toEqual([])
  },
)

/** The sessions and remembered devices that have not ended. */
const alive = () =>
  owner.query(
    `select player_id from accounts.session where ended_at is null
     union all select player_id from accounts.remembered_device where ended_at is null`,
  )

describe('a sign-in with the old password while it is changed', () => {
  const signIn = ({ playerId, passwordHash }: Account, by: Queryable = db) =>
    startSession(by, { playerId, passwordHash, netAtStart: 0n })
  const change = ({ playerId, passwordHash: before }: Account, tx: Transaction) =>
    replacePassword(tx, { playerId, passwordHash: 'new', before, keptSession: null })

  it('begins no session, if the change is first', async () => {
    const his = await account()
    const token = await meanwhile(
      (tx) => change(his, tx),
      () => signIn(his),
    )
    expect(token).toBeNull()
    expect(await alive()).toEqual([])
  })

  it('is ended by the change, if the sign-in is first', async () => {
    const his = await account()
    const changed = await meanwhile(
      async (tx) => expect(await signIn(his, tx)).not.toBeNull(),
      () => db.transaction((tx) => change(his, tx)),
    )
    expect(changed).toBe(true)
    expect(await alive()).toEqual([])
  })
})

it.each<[string, (playerId: number) => Promise<unknown>]>([
  [
    'on another device',
    (playerId) =>
      db.transaction((tx) => endOtherDevices(tx, { playerId, session: hashSecret('another') })),
  ],
  ['by staff', (playerId) => owner.query(`select accounts.sign_out($1, 'staff')`, [playerId])],
])(
  'a sign-in that is ended before its device is remembered and known %s leaves it neither',
  async (_, end) => {
    const { playerId, passwordHash } = await account()
    const [secret, device] = ['s'.repeat(43), 'Firefox']
    const token = await startSession(db, {
      playerId,
      passwordHash,
      netAtStart: 0n,
      device,
      deviceHash: hashSecret(secret),
    })
    if (token === null) throw new Error('no session')
    await end(playerId)
    const his = { id: playerId, passwordHash }
    expect(await rememberDevice(db, his, { token, family: null })).toBeNull()
    const signIn = { playerId, session: hashSecret(token), secret, device, url: '', tell: true }
    await noteDevice(db, signIn)
    expect(await isKnownDevice(db, { playerId, cookie: secret })).toBe(false)
    expect(await owner.query('select from inbox.message')).toEqual([])
    expect(await alive()).toEqual([])
  },
)

it('a device that becomes known while its player is signed out everywhere does not stay known', async () => {
  const { playerId, passwordHash } = await account()
  const secret = 's'.repeat(43)
  const token = await startSession(db, { playerId, passwordHash, netAtStart: 0n })
  const signIn = { playerId, session: hashSecret(token ?? ''), secret, device: '', url: '' }
  await answerAfter(database, {
    async first(tx) {
      const held: typeof db = { ...db, ...tx, transaction: (work) => work(tx) }
      await noteDevice(held, { ...signIn, tell: false })
      expect(await isKnownDevice(tx, { playerId, cookie: secret })).toBe(true)
    },
    second: () => owner.query(`select accounts.sign_out($1, 'staff')`, [playerId]),
  })
  expect(await isKnownDevice(db, { playerId, cookie: secret })).toBe(false)
})

it('a remembered device whose secret is used again is ended without a deadlock while staff sign its player out', async () => {
  const { playerId } = await account()
  const family = crypto.randomUUID()
  await owner.query(
    `insert into accounts.remembered_device (secret_hash, player_id, family, expires_at, used_at)
     values ('used', $1, $2, 'infinity', app.now() - interval '1 hour'), ('present', $1, $2, 'infinity', null)`,
    [playerId, family],
  )
  await owner.query(
    `insert into accounts.session (token_hash, player_id, device_family, net_at_start)
     values ('of the device', $1, $2, 0), ('on another', $1, null, 0)`,
    [playerId, family],
  )

  let tries = 0
  const counted: typeof db = {
    ...db,
    transaction: (work, options) =>
      db.transaction((tx) => {
        tries += 1
        return work(tx)
      }, options),
  }
  const both = await owner.transaction(async (tx) => {
    await tx.query(`select from accounts.session where token_hash = 'on another' for update`)
    // It holds the device's session now, and waits for the other one.
    const signingOut = owner.pool.query(`select accounts.sign_out($1, 'staff')`, [playerId])
    await somebodyWaits(database)
    const ending = endReplayedFamily(counted, Buffer.from('used'))
    await somebodyWaits(database, 2)
    return { signingOut, ending }
  })
  await both.signingOut
  expect(await both.ending).toBe('ended')
  expect(tries).toBe(1)
  expect(await alive()).toEqual([])
})

/** Has a code mailed, and reads it from the queue. */
async function codeFor(
  deps: Parameters<typeof sendCode>[0],
  email: string,
  event: CodeEvent,
): Promise<string> {
  expect(await sendCode(deps, { email, event, network: NETWORK, lang: 'en' })).toBeNull()
  return queuedCode(database, email)
}
