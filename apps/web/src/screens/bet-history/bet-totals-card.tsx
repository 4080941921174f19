import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import type { DayRange } from '@sum28/ui/day-span.ts'
import type { ReactNode } from 'react'
import type { BetTotals } from '#src/data/bet-totals.ts'
import { useText } from '#src/i18n/text.ts'
import { BetExport } from '#src/screens/bet-history/bet-export.tsx'
import styles from '#src/screens/bet-history/bet-totals-card.module.css'

/** What the bets listed come to, and the way to take all of the days along. */
export function BetTotalsCard({ totals, range }: { totals: BetTotals; range: DayRange }) {
  const t = useText()
  return (
    <Card className={styles.card}>
      <div className={styles.heading}>
        <h2>{t('bets.totals')}</h2>
        <span className="num">{t('bets.count', { count: totals.count })}</span>
      </div>
      <dl className={styles.sums}>
        <Sum label={t('bets.staked')}>
          <AmountText value={totals.staked} />
        </Sum>
        {totals.pending > 0n && (
          <Sum label={t('bets.pending')} part>
            <AmountText value={totals.pending} />
          </Sum>
        )}
        {totals.refunded > 0n && (
          <Sum label={t('bets.refunded')} part>
            <AmountText value={totals.refunded} />
          </Sum>
        )}
        <Sum label={t('bet.payout')}>
          <AmountText value={totals.payout} />
        </Sum>
        <Sum label={t('bets.result')} strong>
          <AmountText value={totals.result} signed />
        </Sum>
      </dl>
      <BetExport range={range} />
    </Card>
  )
}

type SumProps = {
  label: string
  /** A part of the line above. */
  part?: boolean
  strong?: boolean
  children: ReactNode
}

function Sum({ label, part = false, strong = false, children }: SumProps) {
  return (
    <div className={styles.sum} data-part={part} data-strong={strong}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
