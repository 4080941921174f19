/** The accounts module's SQL: players, sessions, remembered devices, mailed codes. */
import { brokenConstraint, only, type Queryable, type Transaction } from '#src/db/database.ts'

export type Account = {
  id: number
  username: string
  email: string | null
  passwordHash: string | null
  groupId: 1 | 2
  state: 'active' | 'frozen'
  avatar: string
}

const ACCOUNT = `id, username, email, password_hash as "passwordHash", group_id as "groupId", state, avatar`

export async function accountById(db: Queryable, playerId: number): Promise<Account | undefined> {
  const [row] = await db.query<Account>(`select ${ACCOUNT} from accounts.player where id = $1`, [
    playerId,
  ])
  return row
}

/** Finds an account by user name or e-mail address, whatever the case. Robots have no login. */
export async function accountByName(db: Queryable, name: string): Promise<Account | undefined> {
  const [row] = await db.query<Account>(
    `select ${ACCOUNT} from accounts.player
     where kind = 'person' and (username_key = lower($1) or email_key = lower($1))`,
    [name],
  )
  return row
}

export async function emailHasAccount(db: Queryable, email: string): Promise<boolean> {
  const rows = await db.query(`select from accounts.player where email_key = lower($1)`, [email])
  return rows.length > 0
}

export type NewAccount = {
  username: string
  email: string | null
  passwordHash: string
  groupId: 1 | 2
  inviterId: number | null
  lang: string
}

/** Adds an account; its wallet opens with it. An inviter who does not exist is left out. */
export async function addAccount(
  tx: Transaction,
  account: NewAccount,
): Promise<number | 'username_taken' | 'email_taken'> {
  try {
    const row = only(
      await tx.query<{ id: number }>(
        `insert into accounts.player (username, email, password_hash, group_id, inviter_id, lang)
         values ($1, $2, $3, $4, (select id from accounts.player where id = $5 and kind = 'person'), $6)
         returning id`,
        [
          account.username,
          account.email,
          account.passwordHash,
          account.groupId,
          account.inviterId,
          account.lang,
        ],
      ),
    )
    return row.id
  } catch (error) {
    const constraint = brokenConstraint(error)
    if (constraint === 'username_taken' || constraint === 'email_taken') return constraint
    throw error
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
  endedBy: 'logout' | 'password' | 'frozen' | 'replayed' | null
  now: number
}

/** Sessions by the hex of their token's hash. */
export async function sessionsByHash(
  db: Queryable,
  hashes: readonly string[],
): Promise<Map<string, SessionRow>> {
  const rows = await db.query<SessionRow>(
    `select encode(token_hash, 'hex') as "tokenHash", player_id as "playerId", group_id as "groupId",
       username, player.state = 'frozen' as frozen, net_at_start as "netAtStart",
       session.created_at as "createdAt", seen_at as "seenAt", ended_by as "endedBy", app.now() as now
     from accounts.session join accounts.player on player.id = player_id
     where token_hash = any (select decode(hash, 'hex') from unnest($1::text[]) hash)`,
    [hashes],
  )
  return new Map(rows.map((row) => [row.tokenHash, row]))
}

/**
 * Who may sign in: a player by the password that was looked at, while it is his and he is not frozen.
 * The share of the row makes a change of it wait, which then finds what was added.
 */
export const MAY_SIGN_IN = `accounts.player
  where id = $2 and password_hash is not distinct from $3 and state = 'active' for share`

/** Adds a session; false where the account has changed since the password was looked at. */
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

export async function touchSession(db: Queryable, tokenHash: string): Promise<void> {
  await db.query(
    `update accounts.session set seen_at = app.now() where token_hash = decode($1, 'hex')`,
    [tokenHash],
  )
}

export async function endSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query(
    `update accounts.session set ended_at = app.now(), ended_by = 'logout'
     where token_hash = $1 and ended_at is null`,
    [tokenHash],
  )
}

/** How many seconds ago this address got its codes of the last day, the latest first. */
export async function recentCodes(db: Queryable, email: string): Promise<number[]> {
  const rows = await db.query<{ secondsAgo: number }>(
    `select extract(epoch from app.now() - created_at)::float8 as "secondsAgo"
     from accounts.email_code
     where email_key = lower($1) and created_at > app.now() - interval '24 hours'
     order by created_at desc`,
    [email],
  )
  return rows.map(({ secondsAgo }) => secondsAgo)
}

/** Serialises what is done for one address until the transaction ends. */
export async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('email ' || lower($1)))`, [email])
}

export async function addCode(
  tx: Transaction,
  code: { email: string; event: string; codeHash: Buffer; minutes: number },
): Promise<void> {
  await tx.query(
    `insert into accounts.email_code (email_key, event, code_hash, expires_at)
     values (lower($1), $2, $3, app.now() + make_interval(mins => $4))`,
    [code.email, code.event, code.codeHash, code.minutes],
  )
}

/** Counts a try against the latest code of an address, and gives it if it may still be tried. */
export async function tryCode(
  db: Queryable,
  asked: { email: string; event: string; triesMax: number },
): Promise<{ id: bigint; codeHash: Buffer } | undefined> {
  const [row] = await db.query<{ id: bigint; codeHash: Buffer }>(
    `update accounts.email_code set tries = tries + 1
     where id = (select id from accounts.email_code where email_key = lower($1) and event = $2
         order by id desc limit 1)
       and used_at is null and expires_at > app.now() and tries < $3
     returning id, code_hash as "codeHash"`,
    [asked.email, asked.event, asked.triesMax],
  )
  return row
}

/** Takes a counted try back, once it has turned out right. */
export async function forgiveTry(db: Queryable, id: bigint): Promise<void> {
  await db.query(`update accounts.email_code set tries = tries - 1 where id = $1 and tries > 0`, [
    id,
  ])
}

/** Uses a code up; false when somebody else was first. */
export async function useCode(tx: Transaction, id: bigint): Promise<boolean> {
  const rows = await tx.query(
    `update accounts.email_code set used_at = app.now() where id = $1 and used_at is null returning id`,
    [id],
  )
  return rows.length === 1
}

export type Invitee = { username: string; createdAt: number }

/** Whom a player has brought, newest first, some of them at a time, and how many they are in all. */
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
