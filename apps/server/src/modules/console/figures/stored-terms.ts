/** The terms that hold: functions of the database judge by them, whatever a running process was given. */
import type { Queryable } from '#src/db/database.ts'
import { payoutMaxOf } from '#src/modules/games/payout-limit.ts'
import { closedKeptDays } from '#src/modules/own-account/close-account.ts'
import { protectionTermsOf } from '#src/modules/protection/protection-terms.ts'
import { adjustmentLimitsOf } from '#src/modules/wallet/adjustment-limits.ts'
import { withdrawalTermsOf } from '#src/modules/withdrawals/withdrawal-terms.ts'

export type StoredTerms = Awaited<ReturnType<typeof storedTerms>>

/** Their names are those of the configuration. */
export async function storedTerms(db: Queryable) {
  return {
    withdrawals: await withdrawalTermsOf(db),
    adjustmentsMax: await adjustmentLimitsOf(db),
    payoutMax: await payoutMaxOf(db),
    protection: await protectionTermsOf(db),
    closedKeptDays: await closedKeptDays(db),
  }
}
