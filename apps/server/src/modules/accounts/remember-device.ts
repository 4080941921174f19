/** Devices that a player lets the product remember: each stores a secret that is valid once. */
import { TRIES_FOR_MS } from '@sum28/contract/client.ts'
import { REMEMBER_DAYS } from '@sum28/contract/shared-times.ts'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type Account, accountById } from './account-store.ts'
import { keepNewest } from './keep-newest.ts'
import type { NoteMark } from './note-mark.ts'
import { forgetDevices } from './security-store.ts'
import {
  hashSecret,
  MAY_SIGN_IN,
  newSecret,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS_MAX,
} from './session.ts'

export type Recalled = {
  account: Account
  family: string
  /** Whether the call that exchanged it has come again. */
  repeated: boolean
}

/**
 * Records that a player signs in on a device that remembers another player: this mark identifies both. A device is
 * known by its cookie alone; it has one if a player let it be remembered and did not sign out.
 */
export async function noteSharedDevice(
  { db, noteMark }: { db: Database; noteMark: NoteMark },
  { playerId, secret }: { playerId: number; secret: string },
): Promise<void> {
  const device = await db.first<Device>(
    `select player_id as "playerId", family from accounts.remembered_device where secret_hash = $1`,
    [hashSecret(secret)],
  )
  if (!device || device.playerId === playerId) return
  // Each in its own transaction, which is repeated if another one conflicts.
  for (const each of [device.playerId, playerId]) {
    await db.transaction((tx) =>
      noteMark(tx, { playerId: each, kind: 'device', value: device.family }),
    )
  }
}

/**
 * Exchanges a remembered device's secret, which is valid once, for the account. If a secret is used again, all that
 * followed from it ends; but a call whose answer was lost may be repeated with its key.
 *
 * @returns token_missing without one; session_unknown or account_locked if it is not valid. `keep`: the device may
 *   already have the next secret, because this one was exchanged a moment ago
 */
export async function recallDevice(
  db: Database,
  secret: string | null,
  key: string | null,
): Promise<Recalled | { refusal: Refusal; keep: boolean }> {
  if (!secret) return { refusal: refuse('token_missing'), keep: false }
  const secretHash = hashSecret(secret)
  const keyHash = key === null ? null : hashSecret(key)
  const device = await takeRememberedDevice(db, { secretHash, keyHash })
  if (!device) {
    const keep = (await endReplayedFamily(db, secretHash)) === 'just_used'
    return { refusal: refuse('session_unknown'), keep }
  }
  const account = await accountById(db, device.playerId)
  if (!account) return { refusal: refuse('session_unknown'), keep: false }
  if (account.state !== 'active') return { refusal: refuse('account_locked'), keep: false }
  return { account, family: device.family, repeated: device.repeated }
}

/** Within this time a secret may come again from two pages of one browser, or because its answer was lost. */
const REPLAY_GRACE_SECONDS = 30

/** From its first use, for the same call: longer than a client goes on trying. */
const REPEAT_SECONDS = 30 + TRIES_FOR_MS / 1_000

export type Device = { playerId: number; family: string }

/** Serialises the work on one family until the transaction ends. */
async function lockFamily(tx: Transaction, family: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('family ' || $1, 0))`, [family])
}

/**
 * Remembers a device, in a family with the session that begins with it. Returns the secret to store on it; null if the
 * account has changed since it was proved, the session has ended, or the family has: then the session has ended too.
 *
 * @param began the session's token, and the family that it continues, null for a new one
 */
export async function rememberDevice(
  db: Database,
  { id: playerId, passwordHash }: Pick<Account, 'id' | 'passwordHash'>,
  { token, ...began }: { token: string; family: string | null },
): Promise<string | null> {
  const secret = newSecret()
  const tokenHash = hashSecret(token)
  const family = began.family ?? crypto.randomUUID()
  return db.transaction(async (tx) => {
    await lockFamily(tx, family)
    // What ends all sessions and families of a player holds this row.
    await tx.query('select from accounts.player where id = $1 for share', [playerId])
    const ended = await tx.query(
      `update accounts.session set ended_at = app.now(), ended_by = 'replayed'
       where token_hash = $2 and exists (select from accounts.remembered_device
         where remembered_device.family = $1 and remembered_device.ended_at is not null)
       returning player_id`,
      [family, tokenHash],
    )
    if (ended.length > 0) return null
    const joined = await tx.query(
      `update accounts.session set device_family = $1 where token_hash = $2 and ended_at is null
       returning player_id`,
      [family, tokenHash],
    )
    if (joined.length === 0) return null
    const added = await tx.query(
      `insert into accounts.remembered_device (secret_hash, player_id, family, expires_at)
       select $1, id, $4, app.now() + make_interval(days => $5) from ${MAY_SIGN_IN}
       returning player_id`,
      [hashSecret(secret), playerId, passwordHash, family, REMEMBER_DAYS],
    )
    await keepNewest(tx, { playerId, table: 'accounts.remembered_device' })
    return added.length === 1 ? secret : null
  })
}

/**
 * Marks a secret as used, once; the same call, which its key shows, may use it again for a while.
 *
 * @param keyHash of the call's idempotency key, null without one
 */
export function takeRememberedDevice(
  db: Queryable,
  { secretHash, keyHash }: { secretHash: Buffer; keyHash: Buffer | null },
): Promise<(Device & { repeated: boolean }) | undefined> {
  return db.first<Device & { repeated: boolean }>(
    `with found as (
       select secret_hash, used_at is not null as repeated from accounts.remembered_device
       where secret_hash = $1 and ended_at is null and expires_at > app.now()
         and (used_at is null or (used_key = $2 and used_at > app.now() - make_interval(secs => $3)))
       for no key update
     )
     update accounts.remembered_device device set used_at = coalesce(used_at, app.now()), used_key = $2
     from found where device.secret_hash = found.secret_hash
     returning player_id as "playerId", family, repeated`,
    [secretHash, keyHash, REPEAT_SECONDS],
  )
}

/**
 * Ends the family of a secret that is used a second time: two clients have it, and one of them stole it. Its sessions
 * end with it, and the player's next sign-in on the device is a new one.
 *
 * @returns `just_used` if both uses may be the owner's; then nothing has ended
 */
export async function endReplayedFamily(
  db: Database,
  secretHash: Buffer,
): Promise<'just_used' | 'ended' | 'unknown'> {
  return db.transaction(async (tx) => {
    const [used] = await tx.query<{ family: string; justUsed: boolean }>(
      `select family, used_at > app.now() - make_interval(secs => $2) as "justUsed"
       from accounts.remembered_device where secret_hash = $1 and used_at is not null`,
      [secretHash, REPLAY_GRACE_SECONDS],
    )
    if (!used) return 'unknown'
    if (used.justUsed) return 'just_used'
    await endFamily(tx, { family: used.family, by: 'replayed' })
    // The thief of the one cookie may have the other.
    await forgetDevicesOf(tx, { families: [used.family], kept: [] })
    return 'ended'
  })
}

/** Knows no device any more on which a session of a family began, but those whose cookie has one of these hashes. */
async function forgetDevicesOf(
  tx: Transaction,
  { families, kept }: { families: string[]; kept: Buffer[] },
): Promise<void> {
  await tx.query(
    `delete from accounts.known_device known using accounts.session
     where known.player_id in (select player_id from accounts.remembered_device where family = any ($1::uuid[]))
       and session.player_id = known.player_id and device_family = any ($1::uuid[])
       and device_hash = secret_hash and secret_hash <> all ($2::bytea[])`,
    [families, kept],
  )
}

/**
 * Ends a session and the families of its device and of the device's secret, with all that was exchanged from them. The
 * device stays known, and no other one on which the secret was used.
 *
 * @param of `tokenHash`: null without a session, or of one that has ended; `secretHash`: null if the device is not
 *   remembered; `isLeft`: whether the player has left it before this call, else its secret may be of who has signed in
 *   since: it ends only with a session of the same player that began after it and has not ended; `deviceHash`: by which
 *   the device is known, null if it is not
 * @returns whether the device is not remembered any more
 */
export async function endSessionAndDevice(
  db: Database,
  of: {
    tokenHash: Buffer | null
    secretHash: Buffer | null
    isLeft: boolean
    deviceHash: Buffer | null
  },
): Promise<boolean> {
  const { tokenHash, secretHash, isLeft, deviceHash } = of
  return db.transaction(async (tx) => {
    const families = await tx.column<string>(
      `select device_family as family from accounts.session
       where token_hash = $1 and device_family is not null
       union select family from accounts.remembered_device device where secret_hash = $2 and ($3 or exists (
         select from accounts.session where token_hash = $1 and ended_at is null
           and session.player_id = device.player_id and session.created_at >=
             (select min(created_at) from accounts.remembered_device first where first.family = device.family)))
       order by family`,
      [tokenHash, secretHash, isLeft],
    )
    for (const family of families) await endFamily(tx, { family, by: 'logout' })
    const [own] = await tx.column<Buffer | null>(
      'select device_hash from accounts.session where token_hash = $1',
      [tokenHash],
    )
    // A session that began over a line has another one than the cookie of the page's own address.
    const kept = [own, deviceHash].filter((hash) => hash !== null && hash !== undefined)
    await forgetDevicesOf(tx, { families, kept })
    await tx.query(
      `update accounts.session set ended_at = app.now(), ended_by = 'logout'
       where token_hash = $1 and ended_at is null`,
      [tokenHash],
    )
    return tx.exists(
      'select from accounts.remembered_device where secret_hash = $1 and ended_at is not null',
      [secretHash],
    )
  })
}

async function endFamily(
  tx: Transaction,
  { family, by }: { family: string; by: 'replayed' | 'logout' },
): Promise<void> {
  await lockFamily(tx, family)
  // Sessions before devices, as everywhere (`sql/functions/bets.sql`).
  await tx.query(
    `update accounts.session set ended_at = app.now(), ended_by = $2
     where device_family = $1 and ended_at is null`,
    [family, by],
  )
  await tx.query(
    `update accounts.remembered_device set ended_at = app.now()
     where family = $1 and ended_at is null`,
    [family],
  )
}

export type SignedInDevice = {
  /** Of its family if it is remembered, else of its session. */
  id: string
  /** As `deviceName` names it. */
  name: string
  firstAt: number
  lastAt: number
  isCurrent: boolean
}

/** Sessions of $1 that go on, or of a device that can begin the next one by itself; $2 is the caller's token. */
const SIGNED_IN = `accounts.session
  where player_id = $1 and (
    ended_at is null and seen_at >= app.now() - make_interval(secs => ${SESSION_IDLE_SECONDS})
      and created_at >= app.now() - make_interval(secs => ${SESSION_SECONDS_MAX})
    or device_family in (
      select family from accounts.remembered_device
      where player_id = $1 and used_at is null and ended_at is null and expires_at > app.now()))`

const DEVICE_ID = 'coalesce(device_family::text, session.id::text)'

/** Where a player is signed in, the last used first; the caller's own is the first. */
export function signedInDevices(
  db: Queryable,
  { playerId, tokenHash }: { playerId: number; tokenHash: Buffer },
): Promise<SignedInDevice[]> {
  return db.query<SignedInDevice>(
    `select ${DEVICE_ID} as id, (array_agg(device order by created_at desc))[1] as name,
       min(created_at) as "firstAt", max(seen_at) as "lastAt", bool_or(token_hash = $2) as "isCurrent"
     from ${SIGNED_IN}
     group by 1 order by "isCurrent" desc, "lastAt" desc limit 100`,
    [playerId, tokenHash],
  )
}

/**
 * Signs a player out on one of his devices, which is new to him if it comes again.
 *
 * @returns whether he was signed in there
 */
export function endDevice(
  db: Database,
  { playerId, tokenHash, id }: { playerId: number; tokenHash: Buffer; id: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const devices = await signedInDevices(tx, { playerId, tokenHash })
    if (!devices.some((each) => each.id === id)) return false
    const families = await tx.column<string>(
      `select distinct device_family from accounts.session
       where player_id = $1 and device_family::text = $2`,
      [playerId, id],
    )
    for (const family of families) await endFamily(tx, { family, by: 'logout' })
    await tx.query(
      `update accounts.session set ended_at = app.now(), ended_by = 'logout'
       where player_id = $1 and device_family is null and id::text = $2 and ended_at is null`,
      [playerId, id],
    )
    // His own may have the same cookie.
    await tx.query(
      `delete from accounts.known_device where player_id = $1 and secret_hash in (
         select device_hash from accounts.session
         where player_id = $1 and coalesce(device_family::text, id::text) = $2)
       and secret_hash is distinct from (select device_hash from accounts.session where token_hash = $3)`,
      [playerId, id, tokenHash],
    )
    return true
  })
}

/**
 * Ends all sessions of a player but one, and all that would begin by themselves: that of the one's device too, for a
 * copy of its cookie signs in like it ({@link rememberAgain}). Knows none of his other devices any more.
 */
export async function endOtherDevices(
  tx: Transaction,
  { playerId, session }: { playerId: number; session: Buffer },
): Promise<void> {
  // Each device that is being remembered is seen here, or sees its end (`rememberDevice`).
  await tx.query('select from accounts.player where id = $1 for no key update', [playerId])
  await tx.query(
    `update accounts.session set ended_at = app.now(), ended_by = 'logout'
     where player_id = $1 and ended_at is null and token_hash <> $2`,
    [playerId, session],
  )
  await tx.query(
    'update accounts.remembered_device set ended_at = app.now() where player_id = $1 and ended_at is null',
    [playerId],
  )
  await forgetDevices(tx, { playerId, keptSession: session })
}

/**
 * Remembers the device of a session in a new family, if it was remembered.
 *
 * @param of `secret`: of the cookie that came with the call; it may be ended or used up
 * @returns the secret to store on it; null if it was not remembered for this player
 */
export async function rememberAgain(
  db: Database,
  { playerId, token, secret }: { playerId: number; token: string; secret: string },
): Promise<string | null> {
  const [account] = await db.query<Pick<Account, 'id' | 'passwordHash'>>(
    `select id, password_hash as "passwordHash" from accounts.player
     where id = $1 and exists (select from accounts.remembered_device where player_id = $1 and secret_hash = $2)
       and exists (select from accounts.session where token_hash = $3 and device_family is not null)`,
    [playerId, hashSecret(secret), hashSecret(token)],
  )
  return account ? rememberDevice(db, account, { token, family: null }) : null
}
