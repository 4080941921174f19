import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { accountById } from './account-store.ts'
import { hashing } from './hashing.ts'
import type { SignInGuard } from './sign-in-guard.ts'

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
  const right = await hashing.players.verify(password, hash)
  if (isRefusal(right)) {
    await guard.notChecked(counted)
    return right
  }
  if (!right) return counted.ifWrong ?? refuse(wrong)
  await guard.right(counted)
  return hash
}
