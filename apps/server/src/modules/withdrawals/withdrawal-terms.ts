/** The operator's settings of withdrawals, stored where the application cannot write. */
import type { Amount } from '@sum28/domain/money.ts'
import type { Queryable } from '#src/db/database.ts'

export type WithdrawalTerms = {
  /** How long a change to the account holds withdrawals. */
  readonly holdMs: number
  /** From this amount on two people have to approve. */
  readonly twoPersonsFrom: Amount
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
