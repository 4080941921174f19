/** The accounts module's SQL for what protects an account: security code, password, document. */
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'

const LOCK = "interval '24 hours'"

const CODE_TRIES_MAX = 5

export type CodeState = { isSet: boolean; lockedForSeconds: number }

export async function codeState(db: Queryable, playerId: number): Promise<CodeState> {
  const [seconds] = await db.column<number>(
    `select greatest(0, coalesce(ceil(extract(epoch from locked_until - app.now())), 0))::float8
     from accounts.security_code where player_id = $1`,
    [playerId],
  )
  return { isSet: seconds !== undefined, lockedForSeconds: seconds ?? 0 }
}

/**
 * Counts a try for a player's code and returns the code's hash, unless there is none or it is locked. The fifth try
 * in a row locks it; {@link forgiveCodeTry} undoes that for a right one.
 */
export function countCodeTry(
  db: Queryable,
  playerId: number,
): Promise<{ codeHash: string; triesLeft: number } | undefined> {
  return db.first<{ codeHash: string; triesLeft: number }>(
    `update accounts.security_code
     set tries = (tries + 1) % $2::integer,
       locked_until = case when tries + 1 >= $2 then app.now() + ${LOCK} end
     where player_id = $1 and (locked_until is null or locked_until <= app.now())
     returning code_hash as "codeHash",
       case tries when 0 then 0 else $2 - tries end as "triesLeft"`,
    [playerId, CODE_TRIES_MAX],
  )
}

/** The hash of a player's security code, or null if he has none. */
export async function codeHashOf(db: Queryable, playerId: number): Promise<string | null> {
  const [hash = null] = await db.column<string>(
    'select code_hash from accounts.security_code where player_id = $1',
    [playerId],
  )
  return hash
}

/** Removes one try that was counted and then not checked. */
export async function forgiveCodeTry(db: Queryable, playerId: number): Promise<void> {
  await db.query(
    `update accounts.security_code
     set tries = case when locked_until > app.now() then $2::integer - 1 else greatest(tries - 1, 0) end,
       locked_until = null
     where player_id = $1`,
    [playerId, CODE_TRIES_MAX],
  )
}

/**
 * Sets a player's first security code, or replaces a known one; withdrawals are held afterwards.
 *
 * @param code `oldHash`: null for the first
 * @returns false if another change was first
 */
export function putCode(
  tx: Transaction,
  { playerId, codeHash, oldHash }: { playerId: number; codeHash: string; oldHash: string | null },
): Promise<boolean> {
  return callFunction<boolean>(tx, 'accounts.put_code', playerId, codeHash, oldHash)
}

/** Records a change that a thief would make: withdrawals are held afterwards. */
export async function noteSensitiveChange(tx: Transaction, playerId: number): Promise<void> {
  await tx.query(`select accounts.note_sensitive_change($1)`, [playerId])
}

/**
 * Sets a password and ends all sessions and remembered devices except the session that asks. No other device of his is
 * known any more.
 *
 * @param change `before`: the hash of the password that was checked; null: any
 * @returns false if the password has been changed meanwhile
 */
export async function replacePassword(
  tx: Transaction,
  change: {
    playerId: number
    passwordHash: string
    before: string | null
    keptSession: Buffer | null
  },
): Promise<boolean> {
  const changed = await tx.query(
    `update accounts.player set password_hash = $2
     where id = $1 and ($3::text is null or password_hash = $3) returning id`,
    [change.playerId, change.passwordHash, change.before],
  )
  if (changed.length === 0) return false
  // A separate statement: it also sees the sessions that the first one had to wait for.
  await tx.query(
    `with forgotten as (update accounts.remembered_device set ended_at = app.now()
       where player_id = $1 and ended_at is null)
     update accounts.session set ended_at = app.now(), ended_by = 'password'
     where player_id = $1 and ended_at is null and token_hash is distinct from $2`,
    [change.playerId, change.keptSession],
  )
  await forgetDevices(tx, change)
  return true
}

/** Knows none of a player's devices any more but that of the session that asks; none at all without one. */
export async function forgetDevices(
  tx: Transaction,
  { playerId, keptSession }: { playerId: number; keptSession: Buffer | null },
): Promise<void> {
  await tx.query(
    `delete from accounts.known_device where player_id = $1
     and secret_hash is distinct from (select device_hash from accounts.session where token_hash = $2)`,
    [playerId, keptSession],
  )
}

/** The part of his document number that a player may see; empty if he gave none. */
export async function shownDocument(db: Queryable, playerId: number): Promise<string> {
  const [shown = ''] = await db.column<string>(
    `select shown_number from accounts.document where player_id = $1`,
    [playerId],
  )
  return shown
}
