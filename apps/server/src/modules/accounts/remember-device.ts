/** Devices that a player lets the product remember: each stores a secret that is valid once. */
import type { Database } from '#src/db/database.ts'
import { type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type Account, accountById } from './account-store.ts'
import type { NoteMark } from './note-mark.ts'
import {
  addRememberedDevice,
  endReplayedFamily,
  ownerOfDevice,
  takeRememberedDevice,
} from './remembered-device-store.ts'
import { hashSecret, newSecret } from './session.ts'

export const REMEMBER_DAYS = 14

/** The result of exchanging a secret. */
export type Recalled = {
  account: Account
  family: string
  /** Whether the call that exchanged it has come again. */
  repeated: boolean
}

/**
 * Remembers a device and returns the secret to store on it; null if the account has changed since it was proved, or
 * the family has ended.
 *
 * @param began the session's token, and the family that it continues, null for a new one
 */
export async function rememberDevice(
  db: Database,
  { id: playerId, passwordHash }: Account,
  { token, family }: { token: string; family: string | null },
): Promise<string | null> {
  const secret = newSecret()
  const added = await addRememberedDevice(db, {
    secretHash: hashSecret(secret),
    tokenHash: hashSecret(token),
    playerId,
    passwordHash,
    family,
    days: REMEMBER_DAYS,
  })
  return added ? secret : null
}

/**
 * Records that a player signs in on a device that remembers another player: this mark identifies both. A device is
 * known by its cookie alone; it has one if a player let it be remembered and did not sign out.
 */
export async function noteSharedDevice(
  { db, noteMark }: { db: Database; noteMark: NoteMark },
  { playerId, secret }: { playerId: number; secret: string },
): Promise<void> {
  const device = await ownerOfDevice(db, hashSecret(secret))
  if (!device || device.playerId === playerId) return
  // Each in its own transaction, which is repeated if another one conflicts.
  for (const each of [device.playerId, playerId]) {
    await db.transaction((tx) =>
      noteMark(tx, { playerId: each, kind: 'device', value: device.family }),
    )
  }
}

/**
 * Exchanges a remembered device's secret, which is valid once, for the account. If a secret is used again, all that
 * followed from it ends; but a call whose answer was lost may be repeated with its key.
 *
 * @returns session_unknown or account_locked if it is not valid. `keep`: the device may already have the next secret,
 * because this one was exchanged a moment ago
 */
export async function recallDevice(
  db: Database,
  secret: string | null,
  key: string | null,
): Promise<Recalled | { refusal: Refusal; keep: boolean }> {
  if (!secret) return { refusal: refuse('session_unknown'), keep: false }
  const secretHash = hashSecret(secret)
  const keyHash = key === null ? null : hashSecret(key)
  const device = await takeRememberedDevice(db, { secretHash, keyHash })
  if (!device) {
    const keep = (await endReplayedFamily(db, secretHash)) === 'just_used'
    return { refusal: refuse('session_unknown'), keep }
  }
  const account = await accountById(db, device.playerId)
  if (!account) return { refusal: refuse('session_unknown'), keep: false }
  if (account.state !== 'active') return { refusal: refuse('account_locked'), keep: false }
  return { account, family: device.family, repeated: device.repeated }
}
