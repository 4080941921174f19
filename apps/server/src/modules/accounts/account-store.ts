/** The accounts module's SQL of players' accounts, and of whom they have invited. */
import { asciiLowerCase } from '@sum28/contract/canonical-email.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { readPage } from '#src/db/list.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'

export type Account = {
  id: number
  username: string
  email: string | null
  passwordHash: string | null
  groupId: 1 | 2
  state: 'active' | 'frozen' | 'closed'
  avatar: string
  /** Of his mails and pushes. */
  lang: string
  /** Whether staff require that he sets a new password by mail before he signs in. */
  passwordRequired: boolean
}

const ACCOUNT = `id, username, email, password_hash as "passwordHash", group_id as "groupId", state, avatar, lang,
  password_required_at is not null as "passwordRequired"`

/** Why a player may not sign in who has proved that it is him; null: he may. */
export function whyNotToSignIn({ state, passwordRequired }: Account): Refusal | null {
  if (state === 'frozen') return refuse('account_locked')
  if (state === 'closed') return refuse('account_closed')
  return passwordRequired ? refuse('password_reset_required') : null
}

export function accountById(db: Queryable, playerId: number): Promise<Account | undefined> {
  return db.first<Account>(`select ${ACCOUNT} from accounts.player where id = $1`, [playerId])
}

/**
 * Finds an account by the key of a user name or of an e-mail address (`signInName`). Robots cannot sign in.
 */
export function accountByName(db: Queryable, key: string): Promise<Account | undefined> {
  return db.first<Account>(
    `select ${ACCOUNT} from accounts.player
     where accounts.is_person(player) and (username_key = $1 or email_key = $1)`,
    [key],
  )
}

/** The same, with the row locked: it waits for a freeze that is in progress. */
export function lockedAccount(tx: Transaction, playerId: number): Promise<Account> {
  return tx.one<Account>(`select ${ACCOUNT} from accounts.player where id = $1 for no key update`, [
    playerId,
  ])
}

/**
 * The stored address of the account with this canonical address, the only one that mail goes to, and whether that is
 * closed; null if no account has it.
 */
export async function storedAddress(
  db: Queryable,
  email: string,
): Promise<{ address: string; isClosed: boolean } | null> {
  const row = await db.first<{ address: string; isClosed: boolean }>(
    `select email as address, state = 'closed' as "isClosed" from accounts.player where email_key = $1`,
    [email],
  )
  return row ?? null
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
 * the address, or a link that gives it the address back, it is refused; of two simultaneous calls the second waits.
 *
 * @param account its `email` is canonical
 */
export async function addAccount(
  tx: Transaction,
  account: NewAccount,
): Promise<number | 'username_taken' | 'email_taken'> {
  const [id] = await tx.column<number>(
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
  if (id !== undefined) {
    // The insert may have waited for the account that left the address.
    const isWayBack = callFunction<boolean>(tx, 'accounts.is_way_back', account.email, id)
    return (await isWayBack) ? 'email_taken' : id
  }
  const sameName = await tx.query(`select from accounts.player where username_key = $1`, [
    asciiLowerCase(account.username),
  ])
  return sameName.length > 0 ? 'username_taken' : 'email_taken'
}

type Invitee = { createdAt: number }

/** When the players registered whom a player has invited, newest first, one page of them, and their total number. */
export function inviteesOf(
  db: Queryable,
  { playerId, ...paging }: { playerId: number; limit: number; offset: number },
): Promise<{ rows: Invitee[]; total: number }> {
  const count = 'select count(*) as "allRows" from accounts.player where inviter_id = $1'
  const page = `select created_at as "createdAt", (${count}) as "allRows" from accounts.player
    where inviter_id = $1 order by id desc limit $2 offset $3`
  return readPage<Invitee>(db, { page, count }, { values: [playerId], ...paging })
}
