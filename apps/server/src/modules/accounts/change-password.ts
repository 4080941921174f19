import type { Database, Queryable } from '#src/db/database.ts'
import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { countOfDay } from './count-store.ts'
import { hashing } from './hashing.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import { isCommonPassword, isSamePassword } from './password.ts'
import { provePassword } from './prove-password.ts'
import { pepperOf } from './security-code.ts'
import { codeHashOf, noteSensitiveChange, replacePassword } from './security-store.ts'
import { isSessionActive } from './session.ts'
import type { SignInGuard } from './sign-in-guard.ts'

export const PASSWORD_CHANGES_A_DAY = 20

/**
 * Changes the password of a player who knows the old one. All his other sessions and remembered devices end, and
 * withdrawals are held. A wrong old password counts like a wrong sign-in, so that the thief of a session cannot use
 * this call to guess the password.
 *
 * @param change `session`: the hash of the token of the session that asks
 * @returns null, or too_many_requests (with the seconds to wait: too many wrong ones, or changes), old_password_wrong,
 * password_same, password_common, security_code_is_password or session_replaced (the session has ended meanwhile); a
 * refused call changes nothing
 */
export async function changePassword(
  deps: { db: Database; cipher: SecretCipher; guard: SignInGuard },
  change: {
    playerId: number
    username: string
    session: Buffer
    oldPassword: string
    newPassword: string
    /** As `networkOf` names it. */
    network: string
  },
): Promise<Refusal | null> {
  const { db, guard } = deps
  const { playerId, username, session, oldPassword, newPassword, network } = change
  const proof = { playerId, username, password: oldPassword, network }
  const before = await provePassword({ db, guard }, proof, 'old_password_wrong')
  if (isRefusal(before)) return before
  if (isSamePassword(newPassword, oldPassword)) return refuse('password_same')
  if (isCommonPassword(newPassword)) return refuse('password_common')
  const isCode = await isSecurityCodeOf(deps, { playerId, password: newPassword, network })
  if (isRefusal(isCode)) return isCode
  if (isCode) return refuse('security_code_is_password')
  const passwordHash = await hashing.players.hash(newPassword, network)
  if (isRefusal(passwordHash)) return passwordHash
  return db.transaction(async (tx) => {
    const replaced = { playerId, passwordHash, before, keptSession: session }
    // Another change was first: the checks above no longer hold.
    if (!(await replacePassword(tx, replaced))) return refuse('old_password_wrong')
    // A player who was signed out meanwhile must not set the password that staff require.
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    await noteSensitiveChange(tx, playerId)
    const event = 'passwords'
    const tooMany = await countOfDay(tx, { playerId, event, max: PASSWORD_CHANGES_A_DAY })
    if (tooMany) return tooMany
    await noteSignInChange(tx, { playerId, kind: 'password_changed' })
    return null
  })
}

/** Only a visitor's password may be as short as a code. */
async function isSecurityCodeOf(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { playerId, password, network }: { playerId: number; password: string; network: string },
): Promise<boolean | Refusal> {
  if (!/^\d{6}$/.test(password)) return false
  const hash = await codeHashOf(db, playerId)
  return (
    hash !== null && hashing.players.verify(password, hash, network, pepperOf(cipher, playerId))
  )
}
