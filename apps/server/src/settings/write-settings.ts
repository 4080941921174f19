/** Stores the configured settings of money and protection where the database's functions read them. */
import type { Config } from '#src/config.ts'
import type { Database } from '#src/db/database.ts'
import { writePayoutMax } from '#src/modules/games/payout-limit.ts'
import { writeClosedKept } from '#src/modules/own-account/close-account.ts'
import { writeProtectionTerms } from '#src/modules/protection/protection-terms.ts'
import { writeAdjustmentLimits } from '#src/modules/wallet/adjustment-limits.ts'
import { writeWithdrawalTerms } from '#src/modules/withdrawals/withdrawal-terms.ts'

/** @param owner the database as its owner: the application's role may only read them */
export async function writeSettings(owner: Database, config: Config): Promise<void> {
  await writeWithdrawalTerms(owner, config.withdrawals)
  await writeAdjustmentLimits(owner, config.adjustmentsMax)
  await writePayoutMax(owner, config.payoutMax)
  await owner.transaction((tx) => writeProtectionTerms(tx, config.protection))
  await writeClosedKept(owner, config.closedKeptDays)
}
