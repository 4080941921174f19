/** Signing in, by password or by a remembered device. */
import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal.ts'
import {
  type Account,
  accountById,
  accountByName,
  addRememberedDevice,
  takeRememberedDevice,
} from './account-store.ts'
import { verifyPassword } from './password.ts'
import { hashSecret, newSecret } from './session.ts'

export const REMEMBER_DAYS = 14

/** Checks a name and a password; the answer and the time are alike whether the account exists. */
export async function logIn(
  db: Database,
  { account: name, password }: { account: string; password: string },
): Promise<Account | Refusal> {
  const account = await accountByName(db, name)
  const right = await verifyPassword(password, account?.passwordHash ?? null)
  if (!account || !right) return refuse('account_or_password_wrong')
  if (account.state === 'frozen') return refuse('account_locked')
  return account
}

/** Remembers a device and gives the secret that it is to keep. */
export async function rememberDevice(db: Database, playerId: number): Promise<string> {
  const secret = newSecret()
  await addRememberedDevice(db, { secretHash: hashSecret(secret), playerId, days: REMEMBER_DAYS })
  return secret
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
