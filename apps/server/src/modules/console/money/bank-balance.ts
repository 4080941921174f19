/** The bank's balance, for what the house shows to hold: one person enters it, another confirms. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays } from '@sum28/domain/schedule.ts'
import * as z from 'zod'
import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, type KindRules, propose } from '#src/modules/staff/proposal.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal/refusal.ts'

/** Micro-units, as text. */
const amount = z.string().transform(BigInt)
const contentSchema = z.object({
  amount,
  before: amount.nullable(),
  day: z.string(),
  day_before: z.string().nullable(),
})

/** What the bank's statement of a day says. Nothing proves it, and it is published as such. */
export const BANK_BALANCE: KindRules = {
  changesOf({ content }) {
    const { amount, before, day, day_before } = contentSchema.parse(content)
    const earlier = before === null ? null : formatAmount(before)
    return [
      { what: 'at_bank', before: earlier, after: formatAmount(amount) },
      { what: 'day', before: day_before, after: day },
    ]
  },

  auditOf({ subject, state, reason, endReason, content }) {
    const { amount, day } = contentSchema.parse(content)
    return {
      action: `bank_balance_${endReason === null ? state : 'ended'}`,
      subject,
      details: { amount: formatAmount(amount), day, reason: endReason ?? reason },
    }
  },
}

/** An older statement does not count as held. */
const STATEMENT_DAYS = 7

/**
 * Proposes what the bank's statement of a day says.
 *
 * @returns null, or which field is wrong, or already_proposed
 */
export function proposeBankBalance(
  db: Database,
  of: Actor & { amount: Amount; day: string; today: string; reason: string },
): Promise<null | Refusal> {
  const { amount, day, today, reason, ...actor } = of
  return asStaff(db, async (tx) => {
    if (day > today || day <= addDays(today, -STATEMENT_DAYS)) return malformed({ day: 'invalid' })
    const last = await tx.first<{ before: string; day_before: string }>(
      `select amount::text as before, day::text as day_before
       from disclosure.bank_balance order by proposal_id desc limit 1`,
    )
    const made = await propose(tx, BANK_BALANCE, {
      kind: 'bank_balance',
      subject: 'reserves:bank',
      reason,
      content: { amount: String(amount), day, ...(last ?? { before: null, day_before: null }) },
      ...actor,
    })
    return isRefusal(made) ? made : null
  })
}
