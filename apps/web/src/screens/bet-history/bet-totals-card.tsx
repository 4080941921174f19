import { Card } from '@sum28/ui/card.tsx'
import type { DayRange } from '@sum28/ui/day-span.ts'
import { LabelAmount, LabelValues } from '@sum28/ui/label-values.tsx'
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
        <LabelAmount label={t('betHistory.staked')} value={totals.staked} />
        {totals.pending > 0n && (
          <LabelAmount label={t('betHistory.pending')} weight="part" value={totals.pending} />
        )}
        {totals.refunded > 0n && (
          <LabelAmount label={t('betHistory.refunded')} weight="part" value={totals.refunded} />
        )}
        <LabelAmount label={t('bet.payout')} value={totals.payout} />
        <LabelAmount label={t('betHistory.result')} weight="strong" value={totals.result} signed />
      </LabelValues>
      <BetExport range={range} />
    </Card>
  )
}
