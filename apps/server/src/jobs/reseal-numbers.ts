import type { Database } from '#src/db/database.ts'
import { resealDocuments } from '#src/modules/accounts/document.ts'
import { resealTotpSecrets } from '#src/modules/staff/totp-secret.ts'
import { resealPayMethods } from '#src/modules/withdrawals/pay-methods.ts'
import type { KeyMissing, Resealing } from '#src/reseal.ts'
import { SealBroken, type Sealer } from '#src/sealer.ts'

const BATCH = 200

/** Each kind of secret, as the log names it. */
const KINDS: Record<string, Resealing> = {
  pay_method: resealPayMethods,
  document: resealDocuments,
  totp_secret: resealTotpSecrets,
}

export type Resealed = {
  /** How many were sealed anew. */
  sealed: number
  /** Keys that are neither SECRET_KEY nor in SECRET_KEY_PREVIOUS, and how many rows wait for each. */
  missing: KeyMissing[]
  /** Rows that do not open although their key is given: they were altered. */
  broken: { kind: string; id: number }[]
}

/**
 * Seals card, wallet and document numbers and staff's TOTP secrets that an earlier SECRET_KEY sealed
 * with the present one, so that the earlier one can be given up. One whose key is not given, or that
 * does not open, stays as it is and holds up no other. Seed chains keep the key that they were made with.
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
