/**
 * Sessions: a token of 256 random bits, kept by the client and stored as its hash. A session ends after 30 minutes
 * without a call, after 24 hours in any case, at logout, and when the password changes, a remembered device's secret is
 * used twice, staff end it, or the account is frozen or closed.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Database, Queryable, Transaction } from '#src/db/database.ts'
import { readTogether } from '#src/db/shared-reads.ts'
import type { FindCaller } from '#src/http/caller.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { keepNewest } from './keep-newest.ts'

export const SESSION_IDLE_SECONDS = 1_800
export const SESSION_SECONDS_MAX = 86_400

/** How old `seen_at` may become before a call updates it. */
const TOUCH_EVERY_MS = 60_000

/** The hash under which a token, or a remembered device's secret, is stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** 256 random bits as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Begins a session for a player who has proved who he is.
 *
 * @param player `passwordHash` of the account when it was proved: after another password no session begins; `device` as
 *   `deviceName` names it, `network` as `networkOf` does
 * @returns its token, which is stored nowhere; null if the account has changed meanwhile
 */
export async function startSession(db: Queryable, player: NewSession): Promise<string | null> {
  const token = newSecret()
  const isAdded = await db.exists(
    `insert into accounts.session (token_hash, player_id, net_at_start, device, network, device_hash, signed_in_at)
     select $1, id, $4, $5, $6, $7, case when $8 then app.now() end from ${MAY_SIGN_IN} returning player_id`,
    [
      hashSecret(token),
      player.playerId,
      player.passwordHash,
      player.netAtStart,
      player.device ?? '',
      player.network ?? '',
      player.deviceHash,
      player.isSignIn ?? false,
    ],
  )
  if (!isAdded) return null
  await keepNewest(db, { playerId: player.playerId, table: 'accounts.session' })
  return token
}

/**
 * Makes the function that finds a token's owner. Simultaneous reads share a query; so do simultaneous notes of use,
 * of which a thousand players cause as many in the same second of each minute.
 */
export function sessionFinder(db: Database): FindCaller {
  const read = readTogether<string, SessionRow>((hashes) => sessionsByHash(db, hashes))
  const touch = readTogether<string, true>(async (hashes) => {
    // One whose row is locked is left to its next call: nobody waits for a session that is being ended.
    await db.query(
      `update accounts.session set seen_at = app.now() where token_hash in (
       select token_hash from accounts.session
       where token_hash = any (select decode(hash, 'hex') from unnest($1::text[]) hash)
       for no key update skip locked)`,
      [hashes],
      { prepared: true },
    )
    return new Map()
  })
  return async (token) => {
    const tokenHash = hashSecret(token)
    const session = await read(tokenHash.toString('hex'))
    if (!session || session.endedBy === 'logout') return refuse('session_unknown')
    // The player who closed the account may not have got the reply, and may send the call again.
    if (session.endedBy === 'closed') {
      return refuse('session_replaced', { cause: 'account_closed' })
    }
    if (session.endedBy || session.frozen) return refuse('session_replaced')
    const idleMs = session.now - session.seenAt
    const ageMs = session.now - session.createdAt
    if (idleMs > SESSION_IDLE_SECONDS * 1000 || ageMs > SESSION_SECONDS_MAX * 1000) {
      return refuse('session_expired')
    }
    // Also if it was last used on a clock that was ahead: it would end so much later.
    if (Math.abs(idleMs) > TOUCH_EVERY_MS) await touch(session.tokenHash)
    const { playerId, groupId, username, netAtStart } = session
    return { playerId, groupId, username, netAtStart, tokenHash }
  }
}

export type SessionRow = {
  tokenHash: string
  playerId: number
  groupId: 1 | 2
  username: string
  frozen: boolean
  netAtStart: bigint
  createdAt: number
  seenAt: number
  endedBy: 'logout' | 'password' | 'frozen' | 'replayed' | 'staff' | 'closed' | null
  now: number
}

export async function sessionsByHash(
  db: Queryable,
  hashes: readonly string[],
): Promise<Map<string, SessionRow>> {
  const rows = await db.query<SessionRow>(
    `select encode(token_hash, 'hex') as "tokenHash", player_id as "playerId", group_id as "groupId",
       username, player.state <> 'active' as frozen, net_at_start as "netAtStart",
       session.created_at as "createdAt", seen_at as "seenAt", ended_by as "endedBy", app.now() as now
     from accounts.session join accounts.player on player.id = player_id
     where token_hash = any (select decode(hash, 'hex') from unnest($1::text[]) hash)`,
    [hashes],
    { prepared: true },
  )
  return new Map(rows.map((row) => [row.tokenHash, row]))
}

/**
 * Those of some sessions, by the hash of their token, that are not simply in use: ended, unknown, too old, of a frozen
 * account, or without a call for so long that the next one has to renew it.
 */
export function doubtfulSessions(db: Queryable, hashes: readonly Buffer[]): Promise<Buffer[]> {
  return db.column<Buffer>(
    `select hash from unnest($1::bytea[]) hash
     where not exists (
       select from accounts.session join accounts.player on player.id = player_id
       where token_hash = hash and ended_by is null and player.state = 'active'
         and seen_at between app.now() - $2 * interval '1 millisecond' and app.now() + $2 * interval '1 millisecond'
         and session.created_at >= app.now() - $3 * interval '1 millisecond'
     )`,
    [hashes, TOUCH_EVERY_MS, SESSION_SECONDS_MAX * 1000],
    { prepared: true },
  )
}

/**
 * Who may sign in: a player with the password that was checked, while it is still his, no new one is required and his
 * account is open. The shared lock on the row makes a change of it wait, which then finds the added session or
 * device.
 */
export const MAY_SIGN_IN = `accounts.player
  where id = $2 and password_hash is not distinct from $3 and state = 'active'
    and password_required_at is null for share`

type NewSession = {
  playerId: number
  passwordHash: string | null
  netAtStart: bigint
  device?: string
  network?: string
  /** The hash of the secret by which the device is known. */
  deviceHash?: Buffer
  /** Whether password or passkey were given just now, and no remembered device begins it. */
  isSignIn?: boolean
}

/**
 * Whether a session is still valid. Call it after locking its player: a change that ends all his sessions has then
 * either ended this one, or comes later.
 */
export function isSessionActive(tx: Transaction, tokenHash: Buffer): Promise<boolean> {
  return tx.exists(`select from accounts.session where token_hash = $1 and ended_at is null`, [
    tokenHash,
  ])
}
