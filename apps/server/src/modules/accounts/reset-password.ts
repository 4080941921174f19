import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { accountByName, lockedAccount } from './account-store.ts'
import { type CodeDeps, checkCode, lockCode, useCode } from './email-code.ts'
import { hashing } from './hashing.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { isCommonPassword } from './password.ts'
import { noteSensitiveChange, replacePassword } from './security-store.ts'
import type { SignInGuard } from './sign-in-guard.ts'

export type ResetDeps = CodeDeps & {
  db: Database
  guard: SignInGuard
}

/**
 * Sets a new password for the person who has the code that was mailed to the account's address. All sessions and
 * remembered devices end, and withdrawals are held. Codes for addresses without an account are made as well but never
 * mailed, so that the answer to a guess and its time are the same for all addresses.
 *
 * @param reset `email` is canonical, `network` as `networkOf` names it
 * @returns null, or password_common, email_code_wrong, email_code_expired or too_many_requests; with a right code
 * also account_locked if the account is frozen, account_closed, or password_same. A refused call changes nothing, and
 * the code stays valid
 */
export async function resetPassword(
  { db, codeKey, guard }: ResetDeps,
  reset: { email: string; code: string; newPassword: string; network: string },
): Promise<Refusal | null> {
  const { email, code, newPassword, network } = reset
  if (isCommonPassword(newPassword)) return refuse('password_common')
  const checked = await checkCode(db, codeKey, { email, event: 'resetpwd', network, code })
  if (isRefusal(checked)) return checked
  const account = await accountByName(db, email)
  // This code was mailed to no one, so it was guessed.
  if (!account) return refuse('email_code_wrong')
  const same = await hashing.strangers.verify(newPassword, account.passwordHash, network)
  if (isRefusal(same)) return same
  if (same) return refuse('password_same')
  const passwordHash = await hashing.strangers.hash(newPassword, network)
  if (isRefusal(passwordHash)) return passwordHash
  return db.transaction(async (tx) => {
    const { id: playerId, username, state } = await lockedAccount(tx, account.id)
    // The address may have become another account's, or nobody's, while the password was hashed.
    const isStillHis = (await accountByName(tx, email))?.id === playerId
    if (!isStillHis || !(await lockCode(tx, checked.codeId))) return refuse('email_code_expired')
    if (state === 'frozen') return refuse('account_locked')
    if (state === 'closed') return refuse('account_closed')
    await useCode(tx, checked.codeId)
    await replacePassword(tx, { playerId, passwordHash, before: null, keptSession: null })
    await noteSensitiveChange(tx, playerId)
    await noteSignInChange(tx, { playerId, kind: 'password_changed' })
    await guard.proved(tx, { playerId, names: [username, email], network })
    return null
  })
}
