/** Signing in while the password is changed, or the account is frozen. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { accountById } from './account-store.ts'
import { isKnownDevice, noteDevice } from './known-device.ts'
import { endOtherDevices, endReplayedFamily, rememberDevice } from './remember-device.ts'
import { replacePassword } from './security-store.ts'
import { hashSecret, startSession } from './session.ts'

const { database, db, owner } = eachTestDatabase()

const ANEW = { token: 'of the session', family: null }

async function makeAccount() {
  const id = await addPlayer(database, { u: 0 })
  await changePlayer(database, id, `password_hash = 'old'`)
  const account = await accountById(db, id)
  if (!account) throw new Error('the player is gone')
  return account
}

const alive = () =>
  owner.query(
    `select player_id from accounts.session where ended_at is null
     union all select player_id from accounts.remembered_device where ended_at is null`,
  )

describe('a sign-in with the old password while it is changed', () => {
  it('begins neither a session nor a remembered device, if the change is first', async () => {
    const account = await makeAccount()
    const { id: playerId, passwordHash } = account
    const change = { playerId, passwordHash: 'new', before: 'old', keptSession: null }
    const both = await answerAfter(database, {
      first: (tx) => replacePassword(tx, change),
      second: () =>
        Promise.all([
          startSession(db, { playerId, passwordHash, netAtStart: 0n }),
          rememberDevice(db, account, ANEW),
        ]),
    })
    expect(both).toEqual([null, null])
    expect(await alive()).toEqual([])
  })

  it('is ended by the change, if the sign-in is first', async () => {
    const { id: playerId, passwordHash } = await makeAccount()
    const change = { playerId, passwordHash: 'new', before: 'old', keptSession: null }
    const changed = await answerAfter(database, {
      first: async (tx) =>
        expect(await startSession(tx, { playerId, passwordHash, netAtStart: 0n })).not.toBeNull(),
      second: () => db.transaction((other) => replacePassword(other, change)),
    })
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
    const account = await makeAccount()
    const { id: playerId, passwordHash } = account
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
    expect(await rememberDevice(db, account, { token, family: null })).toBeNull()
    const signIn = { playerId, session: hashSecret(token), secret, device, url: '', tell: true }
    await noteDevice(db, signIn)
    expect(await isKnownDevice(db, { playerId, cookie: secret })).toBe(false)
    expect(await owner.query('select from inbox.message')).toEqual([])
    expect(await alive()).toEqual([])
  },
)

it('a device that becomes known while its player is signed out everywhere does not stay known', async () => {
  const { id: playerId, passwordHash } = await makeAccount()
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
  const { id } = await makeAccount()
  const family = crypto.randomUUID()
  await owner.query(
    `insert into accounts.remembered_device (secret_hash, player_id, family, expires_at, used_at)
     values ('used', $1, $2, 'infinity', app.now() - interval '1 hour'), ('present', $1, $2, 'infinity', null)`,
    [id, family],
  )
  await owner.query(
    `insert into accounts.session (token_hash, player_id, device_family, net_at_start)
     values ('of the device', $1, $2, 0), ('on another', $1, null, 0)`,
    [id, family],
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
    const signingOut = owner.pool.query(`select accounts.sign_out($1, 'staff')`, [id])
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
