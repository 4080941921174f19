import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import type { DayRange } from '@sum28/ui/day-span.ts'
import { LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import type { BetTotals } from '#src/data/bet-totals.ts'
import { useText } from '#src/i18n/text.ts'
import { BetExport } from '#src/screens/bet-history/bet-export.tsx'
import styles from '#src/screens/bet-history/bet-totals-card.module.css'

/** The totals of the listed bets, and the download of all bets of the days. */
export function BetTotalsCard({ totals, range }: { totals: BetTotals; range: DayRange }) {
  const t = useText()
  return (
    <Card className="stack-2">
      <div className={styles.heading}>
        <h2>{t('betHistory.totals')}</h2>
        <span className="num">{t('betHistory.count', { count: totals.count })}</span>
      </div>
      <LabelValues>
        <LabelValue label={t('betHistory.staked')}>
          <AmountText value={totals.staked} />
        </LabelValue>
        {totals.pending > 0n && (
          <LabelValue label={t('betHistory.pending')} weight="part">
            <AmountText value={totals.pending} />
          </LabelValue>
        )}
        {totals.refunded > 0n && (
          <LabelValue label={t('betHistory.refunded')} weight="part">
            <AmountText value={totals.refunded} />
          </LabelValue>
        )}
        <LabelValue label={t('bet.payout')}>
          <AmountText value={totals.payout} />
        </LabelValue>
        <LabelValue label={t('betHistory.result')} weight="strong">
          <AmountText value={totals.result} signed />
        </LabelValue>
      </LabelValues>
      <BetExport range={range} />
    </Card>
  )
}
