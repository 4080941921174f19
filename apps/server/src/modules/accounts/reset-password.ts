import type { Database } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal.ts'
import { accountByName, useCode } from './account-store.ts'
import { type CodeDeps, checkCode } from './email-code.ts'
import { hashPassword, isCommonPassword } from './password.ts'
import type { NotifyOfChange } from './security-code.ts'
import { noteSensitiveChange, replacePassword } from './security-store.ts'
import type { SignInGuard } from './sign-in-guard.ts'

export type ResetDeps = CodeDeps & {
  db: Database
  guard: SignInGuard
  notifyOfChange: NotifyOfChange
}

/**
 * Sets a new password for who has the code that was mailed to the account's address. All sessions
 * and remembered devices end, and withdrawals are held. Codes are made for addresses without an
 * account as well and never mailed, so that a guess is answered alike, and as fast, for all.
 *
 * @returns null, or password_common, email_code_wrong, email_code_expired, or account_locked to who
 * has the code of a frozen account
 */
export async function resetPassword(
  { db, codeKey, guard, notifyOfChange }: ResetDeps,
  reset: { email: string; code: string; newPassword: string; address: string },
): Promise<Refusal | null> {
  const { email, code, newPassword, address } = reset
  if (isCommonPassword(newPassword)) return refuse('password_common')
  const checked = await checkCode(db, codeKey, { email, event: 'resetpwd', code })
  if (isRefusal(checked)) return checked
  const account = await accountByName(db, email)
  // Nobody was told this code: it was guessed.
  if (!account) return refuse('email_code_wrong')
  const passwordHash = await hashPassword(newPassword)
  return db.transaction(
    async (tx) => {
      if (!(await useCode(tx, checked.codeId))) return refuse('email_code_expired')
      if (account.state === 'frozen') return refuse('account_locked')
      const playerId = account.id
      await replacePassword(tx, { playerId, passwordHash, before: null, keptSession: null })
      await noteSensitiveChange(tx, playerId)
      await notifyOfChange(tx, { playerId, kind: 'password_changed' })
      await guard.proved(tx, { playerId, names: [account.username, email], address })
      return null
    },
    // Who shows the code of a frozen account has used it up.
    { keepRefusals: true },
  )
}
