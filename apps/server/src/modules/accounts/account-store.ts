/** The accounts module's SQL: players, sessions, remembered devices. */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { only, type Queryable, type Transaction } from '#src/db/database.ts'

export type Account = {
  id: number
  username: string
  email: string | null
  passwordHash: string | null
  groupId: 1 | 2
  state: 'active' | 'frozen' | 'closed'
  avatar: string
  /** Whether staff require that he sets a new password by mail before he signs in. */
  passwordRequired: boolean
}

const ACCOUNT = `id, username, email, password_hash as "passwordHash", group_id as "groupId", state, avatar,
  password_required_at is not null as "passwordRequired"`

export async function accountById(db: Queryable, playerId: number): Promise<Account | undefined> {
  const [row] = await db.query<Account>(`select ${ACCOUNT} from accounts.player where id = $1`, [
    playerId,
  ])
  return row
}

/**
 * Finds an account by the key of a user name or of an e-mail address (`signInName`). Robots cannot sign in.
 */
export async function accountByName(db: Queryable, key: string): Promise<Account | undefined> {
  const [row] = await db.query<Account>(
    `select ${ACCOUNT} from accounts.player
     where accounts.is_person(player) and (username_key = $1 or email_key = $1)`,
    [key],
  )
  return row
}

/** The same, with the row locked: it waits for a freeze that is in progress. */
export async function lockedAccount(tx: Transaction, playerId: number): Promise<Account> {
  return only(
    await tx.query<Account>(
      `select ${ACCOUNT} from accounts.player where id = $1 for no key update`,
      [playerId],
    ),
  )
}

/**
 * The stored address of the account with this canonical address, the only one that mail goes to; null if no account
 * has it.
 */
export async function storedAddress(db: Queryable, email: string): Promise<string | null> {
  const [row] = await db.query<{ email: string }>(
    `select email from accounts.player where email_key = $1`,
    [email],
  )
  return row?.email ?? null
}

export type NewAccount = {
  username: string
  email: string | null
  passwordHash: string
  groupId: 1 | 2
  inviterId: number | null
  lang: string
}

/**
 * Adds an account and opens its wallet. An inviter who does not exist is left out. If another account has the name or
 * the address, nothing is written; of two simultaneous calls the second waits and is refused.
 *
 * @param account its `email` is canonical
 */
export async function addAccount(
  tx: Transaction,
  account: NewAccount,
): Promise<number | 'username_taken' | 'email_taken'> {
  const [added] = await tx.query<{ id: number }>(
    `insert into accounts.player (username, email, email_key, password_hash, group_id, inviter_id, lang)
     values ($1, $2::text, $2::text, $3, $4, (select id from accounts.player where id = $5 and accounts.is_person(player)), $6)
     on conflict do nothing returning id`,
    [
      account.username,
      account.email,
      account.passwordHash,
      account.groupId,
      account.inviterId,
      account.lang,
    ],
  )
  if (added) return added.id
  const sameName = await tx.query(`select from accounts.player where username_key = $1`, [
    asciiLowerCase(account.username),
  ])
  return sameName.length > 0 ? 'username_taken' : 'email_taken'
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

/** Sessions by the hex of their token's hash. */
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
 * account, or without a call for a while.
 *
 * @param idleMs without a call for so long, in milliseconds
 * @param ageMs begun so long ago, in milliseconds
 */
export async function doubtfulSessions(
  db: Queryable,
  hashes: readonly Buffer[],
  { idleMs, ageMs }: { idleMs: number; ageMs: number },
): Promise<Buffer[]> {
  const rows = await db.query<{ hash: Buffer }>(
    `select hash from unnest($1::bytea[]) hash
     where not exists (
       select from accounts.session join accounts.player on player.id = player_id
       where token_hash = hash and ended_by is null and player.state = 'active'
         and seen_at >= app.now() - $2 * interval '1 millisecond'
         and session.created_at >= app.now() - $3 * interval '1 millisecond'
     )`,
    [hashes, idleMs, ageMs],
    { prepared: true },
  )
  return rows.map(({ hash }) => hash)
}

/**
 * Who may sign in: a player with the password that was checked, while it is still his, no new one is required and his
 * account is open. The shared lock on the row makes a change of it wait, which then finds the added session or
 * device.
 */
export const MAY_SIGN_IN = `accounts.player
  where id = $2 and password_hash is not distinct from $3 and state = 'active'
    and password_required_at is null for share`

/** Adds a session; false if the account has changed since the password was checked. */
export async function addSession(
  db: Queryable,
  session: {
    tokenHash: Buffer
    playerId: number
    passwordHash: string | null
    netAtStart: bigint
  },
): Promise<boolean> {
  const rows = await db.query(
    `insert into accounts.session (token_hash, player_id, net_at_start)
     select $1, id, $4 from ${MAY_SIGN_IN} returning player_id`,
    [session.tokenHash, session.playerId, session.passwordHash, session.netAtStart],
  )
  return rows.length === 1
}

/**
 * Notes that sessions, by the hex of their token's hash, are in use now. One whose row is locked is left out: its next
 * call does it, and nobody waits for a session that is being ended.
 */
export async function touchSessions(db: Queryable, hashes: readonly string[]): Promise<void> {
  await db.query(
    `update accounts.session set seen_at = app.now() where token_hash in (
       select token_hash from accounts.session
       where token_hash = any (select decode(hash, 'hex') from unnest($1::text[]) hash)
       for no key update skip locked)`,
    [hashes],
    { prepared: true },
  )
}

export async function endSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query(
    `update accounts.session set ended_at = app.now(), ended_by = 'logout'
     where token_hash = $1 and ended_at is null`,
    [tokenHash],
  )
}

/**
 * Whether a session is still valid. Call it after locking its player: a change that ends all his sessions has then
 * either ended this one, or comes later.
 */
export async function isSessionActive(tx: Transaction, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `select from accounts.session where token_hash = $1 and ended_at is null`,
    [tokenHash],
  )
  return rows.length === 1
}

export type Invitee = { username: string; createdAt: number }

/** The players whom a player has invited, newest first, one page of them, and their total number. */
export async function inviteesOf(
  db: Queryable,
  { playerId, limit, offset }: { playerId: number; limit: number; offset: number },
): Promise<{ list: Invitee[]; total: number }> {
  const [list, counted] = await Promise.all([
    db.query<Invitee>(
      `select username, created_at as "createdAt" from accounts.player
       where inviter_id = $1 order by id desc limit $2 offset $3`,
      [playerId, limit, offset],
    ),
    db.query<{ total: number }>(
      `select count(*)::integer as total from accounts.player where inviter_id = $1`,
      [playerId],
    ),
  ])
  return { list, total: only(counted).total }
}
