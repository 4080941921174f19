/** Signing in, by password or by a remembered device. */
import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'
import {
  type Account,
  accountById,
  accountByName,
  addRememberedDevice,
  takeRememberedDevice,
} from './account-store.ts'
import { hashing } from './hashing.ts'
import { hashSecret, newSecret } from './session.ts'
import type { SignInGuard } from './sign-in-guard.ts'
import { signInName } from './sign-in-name.ts'

export const REMEMBER_DAYS = 14

/**
 * Checks a name and a password; the answer and the time are alike whether the account exists.
 *
 * @param signIn `account`: a user name or an address, as it was typed; `network` as `networkOf` names it
 * @returns the account, or account_or_password_wrong, account_locked (to who knows the password) or
 * too_many_requests, with the seconds to wait
 */
export async function logIn(
  { db, guard }: { db: Database; guard: SignInGuard },
  { account: name, password, network }: { account: string; password: string; network: string },
): Promise<Account | Refusal> {
  const account = await accountByName(db, signInName(name))
  const counted = await guard.count({ name, playerId: account?.id ?? null, network })
  if (isRefusal(counted)) return counted
  const right = await hashing.strangers.verify(password, account?.passwordHash ?? null)
  if (isRefusal(right)) {
    await guard.notLookedAt(counted)
    return right
  }
  if (!account || !right) return counted.ifWrong ?? refuse('account_or_password_wrong')
  await guard.right(counted)
  if (account.state === 'frozen') return refuse('account_locked')
  return account
}

/**
 * Remembers a device and gives the secret that it is to keep; null where the account has changed
 * since it was proved.
 */
export async function rememberDevice(
  db: Database,
  { id: playerId, passwordHash }: Account,
): Promise<string | null> {
  const secret = newSecret()
  const device = { secretHash: hashSecret(secret), playerId, passwordHash, days: REMEMBER_DAYS }
  return (await addRememberedDevice(db, device)) ? secret : null
}

/** Trades a remembered device's secret, which is good once, for the account. */
export async function recallDevice(
  db: Database,
  secret: string | null,
): Promise<Account | Refusal> {
  const device = secret ? await takeRememberedDevice(db, hashSecret(secret)) : undefined
  const account = device && (await accountById(db, device.playerId))
  if (!account) return refuse('session_unknown')
  return account.state === 'frozen' ? refuse('account_locked') : account
}
