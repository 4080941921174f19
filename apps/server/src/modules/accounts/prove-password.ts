import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type Account, accountById, accountByName } from './account-store.ts'
import { hashing } from './hashing.ts'
import { type SignInGuard, signInName } from './sign-in-guard.ts'

/** What a signed-in player proves again before an important action. */
export type PasswordProof = {
  playerId: number
  username: string
  password: string
  /** As `networkOf` names it. */
  network: string
}

/**
 * Checks the password of a signed-in player. A wrong one counts like a wrong sign-in, so that the thief of a session
 * cannot use this call to guess the password.
 *
 * @param wrong the reason to refuse with if the password is wrong
 * @returns the hash of the right password, or the refusal: `wrong`, or too_many_requests with the seconds to wait
 */
export async function provePassword(
  { db, guard }: { db: Database; guard: SignInGuard },
  { playerId, username, password, network }: PasswordProof,
  wrong: 'old_password_wrong' | 'password_wrong' = 'password_wrong',
): Promise<string | null | Refusal> {
  const account = await accountById(db, playerId)
  const counted = await guard.count({ name: username, playerId, network })
  if (isRefusal(counted)) return counted
  const hash = account?.passwordHash ?? null
  const right = await hashing.players.verify(password, hash, network)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  if (!right) return counted.ifWrong ?? refuse(wrong)
  await guard.right(counted)
  return hash
}

/**
 * Checks a name and a password; answer and time are the same whether or not the account exists.
 *
 * @param signIn `account`: a user name or an address, as typed; `network` as `networkOf` names it
 * @returns the account, or account_or_password_wrong, account_locked, account_closed or password_reset_required
 * (these three only if the password was right) or too_many_requests, with the seconds to wait
 */
export async function logIn(
  { db, guard }: { db: Database; guard: SignInGuard },
  { account: name, password, network }: { account: string; password: string; network: string },
): Promise<Account | Refusal> {
  const account = await accountByName(db, signInName(name))
  const counted = await guard.count({ name, playerId: account?.id ?? null, network })
  if (isRefusal(counted)) return counted
  const right = await hashing.strangers.verify(password, account?.passwordHash ?? null, network)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  if (!account || !right) return counted.ifWrong ?? refuse('account_or_password_wrong')
  await guard.right(counted)
  if (account.state === 'frozen') return refuse('account_locked')
  if (account.state === 'closed') return refuse('account_closed')
  if (account.passwordRequired) return refuse('password_reset_required')
  return account
}
