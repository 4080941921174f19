/** The six-digit code that protects withdrawals: set, changed, checked. */
import { isCommonCode } from '@sum28/domain/typed-digits.ts'
import { serializeByKey } from '#src/concurrency/concurrency.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'
import { accountById } from './account-store.ts'
import { countOfDay } from './count-store.ts'
import { hashing } from './hashing.ts'
import { noteSignInChange } from './note-sign-in-change.ts'
import type { Pepper } from './password.ts'
import { requireProof, requireProofOrSignIn } from './prove-password.ts'
import { codeState, countCodeTry, forgiveCodeTry, putCode } from './security-store.ts'
import { isSessionActive } from './session.ts'

/** Of the hash of a player's code: who has a copy of the database could try all codes of six digits. */
export function pepperOf(cipher: SecretCipher, playerId: number): Pepper {
  const owner = Buffer.from(String(playerId))
  return {
    keyId: cipher.keyId,
    of: (keyId) => cipher.mac(owner, 'hashes of security codes', keyId),
  }
}

/** A player's tries are checked one by one, so that a right one does not find the others counted. */
const checks = serializeByKey<number>()

/**
 * Checks a player's security code. Each try is counted before it is checked, so that simultaneous tries cannot exceed
 * five; the fifth wrong one in a row locks the code for 24 hours.
 *
 * @param tried `network` as `networkOf` names it
 * @returns the hash that it matches, or security_code_not_set, security_code_wrong (with the tries that are left),
 * security_code_locked (with the seconds until it ends) or too_many_requests, if too many tries wait to be checked
 */
export function checkSecurityCode(
  { db, cipher }: { db: Queryable; cipher: SecretCipher },
  { playerId, code, network }: { playerId: number; code: string; network: string },
): Promise<{ codeHash: string } | Refusal> {
  return checks(playerId, async () => {
    const stored = await countCodeTry(db, playerId)
    if (!stored) return notToBeTried(db, playerId)
    const { codeHash, triesLeft } = stored
    const pepper = pepperOf(cipher, playerId)
    // A try that could not be checked, as while the key of its hash is missing, is none.
    const forgive = () => forgiveCodeTry(db, playerId)
    const right = await hashing.players
      .verify(code, codeHash, network, pepper)
      .catch(async (error: unknown) => {
        await forgive()
        throw error
      })
    if (isRefusal(right)) {
      await forgive()
      return right
    }
    if (right) {
      await db.query(
        `update accounts.security_code set tries = 0, locked_until = null where player_id = $1`,
        [playerId],
      )
      return { codeHash }
    }
    if (triesLeft === 0) return notToBeTried(db, playerId)
    return refuse('security_code_wrong', { tries_left: triesLeft })
  })
}

async function notToBeTried(db: Queryable, playerId: number): Promise<Refusal> {
  const { isSet, lockedForSeconds } = await codeState(db, playerId)
  if (!isSet) return refuse('security_code_not_set')
  return refuse('security_code_locked', {
    retry_after: Math.max(1, lockedForSeconds),
    hours: Math.max(1, Math.ceil(lockedForSeconds / 3_600)),
  })
}

export const CODE_CHANGES_A_DAY = 20

export type CodeChangeDeps = {
  db: Database
  cipher: SecretCipher
  limits: boolean
}

/**
 * Sets the security code for a player who has proved that it is him, or changes it for one who knows the old one. Withdrawals are held afterwards. Of two
 * simultaneous changes one succeeds; the other is refused, because its old code is no longer the present one.
 *
 * @param change `groupId`: only a visitor's password may be as short as a code, so only his is compared with the
 *   code; `session`: the hash of the token of the session that asks; `repeated`: the new code once more, absent from
 *   clients that know no proof: the password that they sent to sign in a moment ago is one
 * @returns null, or malformed (the old code is missing), proof_required (there is none yet), security_code_wrong, security_code_locked,
 * security_code_same, security_code_common, security_code_is_password, too_many_requests or session_replaced (the session has ended
 * meanwhile); a refused call starts no hold
 */
export async function setSecurityCode(
  { db, cipher, limits }: CodeChangeDeps,
  change: {
    playerId: number
    groupId: 1 | 2
    session: Buffer
    newCode: string
    oldCode: string | undefined
    repeated?: string | undefined
    network: string
  },
): Promise<Refusal | null> {
  const { playerId, groupId, session, newCode, oldCode, repeated, network } = change
  if (repeated !== undefined && repeated !== newCode) return malformed({ repeated_code: 'invalid' })
  const { isSet } = await codeState(db, playerId)
  if (isSet && oldCode === undefined) return malformed({ old_code: 'required' })
  // Nothing of a visitor's can be withdrawn, so nobody gains by setting his.
  const prove = repeated === undefined ? requireProofOrSignIn : requireProof
  const unproved = isSet || groupId === 2 ? null : await prove(db, session)
  if (unproved) return unproved
  const counted = { playerId, event: 'security codes', max: CODE_CHANGES_A_DAY }
  const tooMany = limits ? await countOfDay(db, counted) : null
  if (tooMany) return tooMany

  const asked = { playerId, code: oldCode ?? '', network }
  const old = isSet ? await checkSecurityCode({ db, cipher }, asked) : null
  if (isRefusal(old)) return old
  if (old && newCode === oldCode) return refuse('security_code_same')
  if (isCommonCode(newCode)) return refuse('security_code_common')
  const isPassword = groupId === 2 && (await isPasswordOf(db, { playerId, code: newCode, network }))
  if (isRefusal(isPassword)) return isPassword
  if (isPassword) return refuse('security_code_is_password')
  const codeHash = await hashing.players.hash(newCode, network, pepperOf(cipher, playerId))
  if (isRefusal(codeHash)) return codeHash
  return db.transaction(async (tx) => {
    const done = await putCode(tx, { playerId, codeHash, oldHash: old?.codeHash ?? null })
    // A player who was signed out when staff deleted the code must not set the next one.
    if (!(await isSessionActive(tx, session))) return refuse('session_replaced')
    // Another change was first: the checks above no longer hold.
    if (!done) return old ? refuse('security_code_wrong') : malformed({ old_code: 'required' })
    await noteSignInChange(tx, { playerId, kind: 'security_code_changed' })
    return null
  })
}

async function isPasswordOf(
  db: Queryable,
  { playerId, code, network }: { playerId: number; code: string; network: string },
): Promise<boolean | Refusal> {
  const account = await accountById(db, playerId)
  return hashing.players.verify(code, account?.passwordHash ?? null, network)
}
