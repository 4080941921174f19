/** How much each role may adjust, stored where the application cannot write. */
import type { Amount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import type { Queryable } from '#src/db/database.ts'
import { commaList, inMicro } from '#src/formats/setting-kinds.ts'

/** How much a role may propose or confirm for one player within 24 hours, in micro-units. */
export type AdjustmentLimits = Readonly<Record<'owner' | 'finance' | 'support', Amount>>

export const adjustmentVariables = {
  /** What support, finance and owner may adjust, in u. */
  ADJUSTMENTS_MAX: z
    .string()
    .default('50,1000,10000')
    .refine(
      (text) => /^\d{1,9}(\.\d+)?(, *\d{1,9}(\.\d+)?){2}$/.test(text),
      'is not three amounts with commas between them: of support, finance and owner',
    )
    .transform((text): AdjustmentLimits => {
      const amounts = commaList(text).map((u) => inMicro(Number(u)))
      const [support = 0n, finance = 0n, owner = 0n] = amounts
      return { support, finance, owner }
    }),
}

/**
 * Stores the limits for every process on this database. They apply from the next proposal and the next confirmation
 * on.
 *
 * @param owner the database as its owner: the application's role may only read them
 */
export async function writeAdjustmentLimits(
  owner: Queryable,
  limits: AdjustmentLimits,
): Promise<void> {
  await owner.query(
    `update wallet.adjustment_limit set amount_max = written.amount
     from unnest($1::text[], $2::bigint[]) written (role, amount)
     where adjustment_limit.role = written.role`,
    [Object.keys(limits), Object.values(limits)],
  )
}

export async function adjustmentLimitsOf(db: Queryable): Promise<AdjustmentLimits> {
  const rows = await db.query<{ role: keyof AdjustmentLimits; max: Amount }>(
    'select role, amount_max as max from wallet.adjustment_limit',
  )
  return Object.fromEntries(rows.map(({ role, max }) => [role, max])) as AdjustmentLimits
}
