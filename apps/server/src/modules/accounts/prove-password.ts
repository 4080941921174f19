import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'
import { accountById } from './account-store.ts'
import { hashing } from './hashing.ts'
import type { SignInGuard } from './sign-in-guard.ts'

/** What a player who is signed in shows once more before something grave. */
export type PasswordProof = {
  playerId: number
  username: string
  password: string
  /** As `networkOf` names it. */
  network: string
}

/**
 * Checks the password of a player who is signed in. A wrong one counts like a wrong sign-in: a thief of a
 * session cannot guess at the password with it.
 *
 * @param wrong the reason where it is not his
 * @returns the hash of the password that was right, or the refusal: `wrong`, or too_many_requests with the
 * seconds to wait
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
    await guard.notLookedAt(counted)
    return right
  }
  if (!right) return counted.ifWrong ?? refuse(wrong)
  await guard.right(counted)
  return hash
}
