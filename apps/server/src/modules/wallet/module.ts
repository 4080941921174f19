/** Players' money: the balance, and the statement. */
import { quantityLogList } from '@sum28/contract/money-routes.ts'
import type { LedgerRow } from '@sum28/contract/replies.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { translate } from '@sum28/i18n/translate.ts'
import { bind } from '#src/http/call.ts'
import { instantsOfDays } from '#src/http/day-range.ts'
import { listReply, pagingOf } from '#src/http/page.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { balanceReader, type StatementRow, statementOf } from './wallet-store.ts'

/** The wire's types of movements: 0 recharge, 1 withdrawal, 2 purchase, 3 profit, 4 bonus. */
const TYPE_OF_KIND: Record<StatementRow['kind'], number> = {
  deposit: 0,
  deposit_released: 0,
  deposit_taken_back: 0,
  withdrawal: 1,
  withdrawal_released: 1,
  withdrawal_reversed: 1,
  stake: 2,
  payout: 3,
  refund: 2,
  bonus: 4,
  adjustment_credit: 4,
  adjustment_debit: 4,
}

/** The wire's states of a movement: 0 not passed, 1 passed, 2 rejected. */
const STATUS: Record<StatementRow['outcome'], number> = { waiting: 0, done: 1, restored: 2 }

/** Kinds of deposits other than USDT. */
const BANK_REFERENCE = 'bank:'

export function walletModule(deps: Pick<Resources, 'db' | 'timeZone' | 'now'>) {
  return {
    balance: balanceReader(deps.db),
    routes: [
      bind(quantityLogList, async ({ caller, input, lang, extras }) => {
        const span = instantsOfDays(deps.timeZone, deps.now(), input)
        if (isRefusal(span)) return span
        const kinds = Object.entries(TYPE_OF_KIND)
          .filter(([, type]) => input.type === undefined || type === input.type)
          .map(([kind]) => kind)
        const paging = pagingOf(input)
        const query = { playerId: caller.playerId, ...span, kinds, ...paging }
        const { rows, total } = await statementOf(deps.db, query)
        return listReply(
          rows.map((row) => ledgerRow(row, lang)),
          total,
          { ...paging, extras },
        )
      }),
    ],
  }
}

function ledgerRow(row: StatementRow, lang: Language): LedgerRow {
  return {
    id: Number(row.id),
    createtime: unixSeconds(row.postedAt),
    type: TYPE_OF_KIND[row.kind],
    mark: markOf(row, lang),
    status: STATUS[row.outcome],
    quantity: formatAmount(row.change),
    over: formatAmount(row.cashAfter),
    ...(row.stake !== null && { stake: formatAmount(row.stake) }),
  }
}

function markOf({ kind, reference, reason }: StatementRow, lang: Language): string {
  // A refund is recognised by its mark, which is the same word in every language.
  if (kind === 'refund') return 'refund'
  const text = translate(lang, `mark.${sourceOf(kind, reference)}`)
  return reason === null ? text : translate(lang, 'mark.because', { text, reason })
}

/** The kind of a movement; of a deposit, also of one that was held, where its money came from. */
function sourceOf(kind: Exclude<StatementRow['kind'], 'refund'>, reference: string) {
  if (kind !== 'deposit' && kind !== 'deposit_released') return kind
  return reference.startsWith(BANK_REFERENCE) ? 'bank_deposit' : 'deposit'
}
