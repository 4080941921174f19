/** The bank's balance, for what the house shows to hold: one person enters it, another confirms. */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { addDays } from '@sum28/domain/schedule.ts'
import type { Database } from '#src/db/database.ts'
import { asStaff } from '#src/modules/staff/audit.ts'
import { type Actor, amountOf, type KindRules, propose } from '#src/modules/staff/proposal.ts'
import { isRefusal, malformed, type Refusal } from '#src/refusal/refusal.ts'

/** Amounts in micro-units. */
type Content = { amount: string; before: string | null; day: string; day_before: string | null }

/** What the bank's statement of a day says. Nothing proves it, and it is published as such. */
export const BANK_BALANCE: KindRules = {
  changesOf({ content }) {
    const { amount, before, day, day_before } = content as Content
    const earlier = before === null ? null : formatAmount(BigInt(before))
    return [
      { what: 'at_bank', before: earlier, after: formatAmount(BigInt(amount)) },
      { what: 'day', before: day_before, after: day },
    ]
  },

  auditOf: ({ subject, state, reason, endReason, content }) => ({
    action: `bank_balance_${endReason === null ? state : 'ended'}`,
    subject,
    details: {
      amount: formatAmount(amountOf({ content })),
      day: (content as Content).day,
      reason: endReason ?? reason,
    },
  }),
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
