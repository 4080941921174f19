import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'
import { type Account, accountByName } from './account-store.ts'
import { verifyPassword } from './password.ts'
import type { SignInGuard } from './sign-in-guard.ts'

/**
 * Checks a name and a password; the answer and the time are alike whether the account exists.
 *
 * @returns the account, or account_or_password_wrong, account_locked (to who knows the password) or
 * too_many_requests, with the seconds to wait, without a look at the password
 */
export async function logIn(
  { db, guard }: { db: Database; guard: SignInGuard },
  { account: name, password, address }: { account: string; password: string; address: string },
): Promise<Account | Refusal> {
  const account = await accountByName(db, name)
  const counted = await guard.count({ name, playerId: account?.id ?? null, address })
  if (isRefusal(counted)) return counted
  const right = await verifyPassword(password, account?.passwordHash ?? null)
  if (!account || !right) return refuse('account_or_password_wrong')
  await guard.right(counted)
  if (account.state === 'frozen') return refuse('account_locked')
  return account
}
