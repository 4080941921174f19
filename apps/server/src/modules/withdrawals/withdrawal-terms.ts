/** The operator's settings of withdrawals, stored where the application cannot write. */
import type { Amount } from '@sum28/domain/money.ts'
import * as z from 'zod'
import type { Queryable } from '#src/db/database.ts'
import { inMicro, type ValuesOf } from '#src/formats/setting-kinds.ts'

export const withdrawalVariables = {
  WITHDRAWAL_HOLD_HOURS: z.coerce.number().min(0).max(720).optional(),
  WITHDRAWAL_TWO_PERSONS_FROM: z.coerce.number().min(0).max(1_000_000_000).default(10_000),
}

export type WithdrawalTerms = {
  /** How long a change to the account holds withdrawals. */
  readonly holdMs: number
  /** From this amount on two people have to approve. */
  readonly twoPersonsFrom: Amount
}

export function readWithdrawalTerms(
  env: ValuesOf<typeof withdrawalVariables>,
  { production }: { production: boolean },
): WithdrawalTerms {
  const holdHours = env.WITHDRAWAL_HOLD_HOURS ?? (production ? 24 : 0)
  return {
    holdMs: Math.round(holdHours * 3_600_000),
    twoPersonsFrom: inMicro(env.WITHDRAWAL_TWO_PERSONS_FROM),
  }
}

/**
 * Stores the terms for every process on this database; the functions that reserve and approve read them there. They
 * apply from the next request and the next approval on.
 *
 * @param owner the database as its owner: the application's role may only read them
 */
export async function writeWithdrawalTerms(
  owner: Queryable,
  { holdMs, twoPersonsFrom }: WithdrawalTerms,
): Promise<void> {
  await owner.query(
    `update withdrawals.terms
     set hold = make_interval(secs => $1::float8 / 1000), two_persons_from = $2`,
    [holdMs, twoPersonsFrom],
  )
}

export function withdrawalTermsOf(db: Queryable): Promise<WithdrawalTerms> {
  return db.one<WithdrawalTerms>(
    `select (extract(epoch from hold) * 1000)::float8 as "holdMs",
       two_persons_from as "twoPersonsFrom"
     from withdrawals.terms`,
  )
}
