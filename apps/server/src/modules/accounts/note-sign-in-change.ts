import type { Transaction } from '#src/db/database.ts'
import { notify } from '#src/modules/inbox/notify.ts'

type SignInChange =
  | `passkey_${'added' | 'removed' | 'cloned'}`
  | `factor_${'on' | 'off'}`
  | `recovery_${'renewed' | 'used'}`
  | `email_${'changed' | 'restored'}`
  | 'account_locked'
  | 'password_changed'
  | 'security_code_changed'

/**
 * Tells a player that the ways in which he signs in or proves himself have changed, and logs it for him.
 *
 * @param change `name`: that he gave to the passkey, or how many recovery codes are left, or the new address, masked;
 *   `link`: the way back, for the mail alone
 */
export async function noteSignInChange(
  tx: Transaction,
  change: { playerId: number; kind: SignInChange; name?: string; link?: string },
): Promise<void> {
  const { playerId, kind, name, link } = change
  await logSignInChange(tx, { playerId, what: kind, name })
  await notify(tx, { playerId, kind, facts: name === undefined ? {} : { name }, link })
}

/** Logs a change for a player alone. */
export async function logSignInChange(
  tx: Transaction,
  { playerId, what, name }: { playerId: number; what: string; name?: string | undefined },
): Promise<void> {
  await tx.query('select protection.log_sign_in_change($1, $2, $3)', [playerId, what, name ?? null])
}
