import type { Database } from '#src/db/database.ts'
import { resealDocuments } from '#src/modules/accounts/document.ts'
import { resealTotpSecrets } from '#src/modules/staff/totp-secret.ts'
import { resealPayMethods } from '#src/modules/withdrawals/pay-methods.ts'
import type { Sealer } from '#src/sealer.ts'

const BATCH = 200

/**
 * Seals card, wallet and document numbers and staff's TOTP secrets that an earlier SECRET_KEY sealed
 * with the present one, so that the earlier one can be given up. Seed chains keep the key that they were made with.
 *
 * @returns how many were sealed anew
 */
export async function resealNumbers(deps: { db: Database; sealer: Sealer }): Promise<number> {
  let total = 0
  for (const reseal of [resealPayMethods, resealDocuments, resealTotpSecrets]) {
    let done: number
    do {
      done = await reseal(deps, BATCH)
      total += done
    } while (done === BATCH)
  }
  return total
}
