import type { Database } from '#src/db/database.ts'
import type { KeyMissing, Reencryption } from '#src/db/reencryption.ts'
import { reencryptDocuments } from '#src/modules/accounts/document.ts'
import { reencryptAppSecrets } from '#src/modules/accounts/second-factor.ts'
import { reencryptPushKey } from '#src/modules/own-account/push.ts'
import { reencryptTotpSecrets } from '#src/modules/staff/totp.ts'
import {
  reencryptIdentities,
  reencryptIdentityPictures,
} from '#src/modules/withdrawals/identity.ts'
import { reencryptPayMethods } from '#src/modules/withdrawals/pay-methods.ts'
import { DecryptionFailed, type SecretCipher } from '#src/secrets/secret-cipher.ts'

const BATCH = 200

/** Each kind of secret, by its name in the log. */
const KINDS: Record<string, Reencryption> = {
  pay_method: reencryptPayMethods,
  document: reencryptDocuments,
  identity: reencryptIdentities,
  identity_picture: reencryptIdentityPictures,
  totp_secret: reencryptTotpSecrets,
  push_key: reencryptPushKey,
  app_secret: reencryptAppSecrets,
}

export type Reencrypted = {
  /** How many were encrypted again. */
  reencrypted: number
  /** Keys that are not in SECRET_KEY, and how many rows need each. */
  missing: KeyMissing[]
  /** Rows that cannot be decrypted although their key is known: they were altered. */
  broken: { kind: string; id: number }[]
}

/**
 * Encrypts card, wallet and document numbers, proofs of identity and TOTP secrets again with the present SECRET_KEY, so that
 * earlier keys can be removed. A row whose key is missing, or that cannot be decrypted, stays as it is and blocks no
 * other. Seed chains keep theirs, which is SEED_KEY.
 */
export async function reencryptNumbers(deps: {
  db: Database
  cipher: SecretCipher
}): Promise<Reencrypted> {
  const { db, cipher } = deps
  const decryptable = cipher.keyIds
  const missing = new Map<string, number>()
  const done: Reencrypted = { reencrypted: 0, missing: [], broken: [] }
  for (const [kind, reencryption] of Object.entries(KINDS)) {
    for (let after = 0; ; ) {
      const range = { keyId: cipher.keyId, decryptable, after, limit: BATCH }
      const rows = await reencryption.batch(deps, range)
      for (const { id, reencrypt } of rows) {
        try {
          await reencrypt()
          done.reencrypted += 1
        } catch (error) {
          if (!(error instanceof DecryptionFailed)) throw error
          done.broken.push({ kind, id })
        }
      }
      const last = rows.at(-1)
      if (!last || rows.length < BATCH) break
      after = last.id
    }
    for (const { keyId, rows } of await reencryption.missing(db, decryptable)) {
      missing.set(keyId, (missing.get(keyId) ?? 0) + rows)
    }
  }
  done.missing = [...missing].map(([keyId, rows]) => ({ keyId, rows }))
  return done
}
