import type { Database } from '#src/db/database.ts'
import type { KeyMissing, Resealing } from '#src/db/reseal.ts'
import { resealDocuments } from '#src/modules/accounts/document.ts'
import { resealTotpSecrets } from '#src/modules/staff/totp.ts'
import { resealPayMethods } from '#src/modules/withdrawals/pay-methods.ts'
import { SealBroken, type Sealer } from '#src/secrets/sealer.ts'

const BATCH = 200

/** Each kind of secret, by its name in the log. */
const KINDS: Record<string, Resealing> = {
  pay_method: resealPayMethods,
  document: resealDocuments,
  totp_secret: resealTotpSecrets,
}

export type Resealed = {
  /** How many were encrypted again. */
  sealed: number
  /** Keys that are neither SECRET_KEY nor in SECRET_KEY_PREVIOUS, and how many rows need each. */
  missing: KeyMissing[]
  /** Rows that cannot be decrypted although their key is known: they were altered. */
  broken: { kind: string; id: number }[]
}

/**
 * Encrypts card, wallet and document numbers and staff's TOTP secrets again with the present SECRET_KEY, so that
 * earlier keys can be removed. A row whose key is missing, or that cannot be decrypted, stays as it is and blocks no
 * other. Seed chains keep their original key.
 */
export async function resealNumbers(deps: { db: Database; sealer: Sealer }): Promise<Resealed> {
  const { db, sealer } = deps
  const openable = sealer.keyIds
  const missing = new Map<string, number>()
  const done: Resealed = { sealed: 0, missing: [], broken: [] }
  for (const [kind, resealing] of Object.entries(KINDS)) {
    for (let after = 0; ; ) {
      const range = { keyId: sealer.keyId, openable, after, limit: BATCH }
      const rows = await resealing.batch(deps, range)
      for (const { id, reseal } of rows) {
        try {
          await reseal()
          done.sealed += 1
        } catch (error) {
          if (!(error instanceof SealBroken)) throw error
          done.broken.push({ kind, id })
        }
      }
      const last = rows.at(-1)
      if (!last || rows.length < BATCH) break
      after = last.id
    }
    for (const { keyId, rows } of await resealing.missing(db, openable)) {
      missing.set(keyId, (missing.get(keyId) ?? 0) + rows)
    }
  }
  done.missing = [...missing].map(([keyId, rows]) => ({ keyId, rows }))
  return done
}
