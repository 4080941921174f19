/** Stores the configured settings of money and protection where the database's functions read them. */
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { writePayoutMax } from './modules/games/payout-limit.ts'
import { writeClosedKept } from './modules/own-account/close-account.ts'
import { writeProtectionTerms } from './modules/protection/protection-terms.ts'
import { writeAdjustmentLimits } from './modules/wallet/adjustment-limits.ts'
import { writeWithdrawalTerms } from './modules/withdrawals/withdrawal-terms.ts'

/** @param owner the database as its owner: the application's role may only read them */
export async function writeSettings(owner: Database, config: Config): Promise<void> {
  await writeWithdrawalTerms(owner, config.withdrawals)
  await writeAdjustmentLimits(owner, config.adjustmentsMax)
  await writePayoutMax(owner, config.payoutMax)
  await owner.transaction((tx) => writeProtectionTerms(tx, config.protection))
  await writeClosedKept(owner, config.closedKeptDays)
}
