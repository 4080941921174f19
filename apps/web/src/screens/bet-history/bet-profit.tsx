import { AmountText } from '@sum28/ui/amount.tsx'
import type { Bet } from '#src/data/bet.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-history/bet-profit.module.css'
import { profitLook } from '#src/screens/bet-history/profit-look.ts'

/** The result of a bet: pending, a figure, no profit, or refunded. */
export function BetProfit({ bet }: { bet: Bet }) {
  const t = useText()
  switch (profitLook(bet)) {
    case 'pending':
      return (
        <span className={styles.line}>
          <span className={styles.badge} data-tone="warn">
            {t('betHistory.pending')}
          </span>
          <span className="hint">----</span>
        </span>
      )
    case 'win':
      return (
        <b className={styles.won}>
          <AmountText value={bet.profit} signed />
        </b>
      )
    case 'figure':
      return (
        <span className={styles.lost}>
          <AmountText value={bet.profit} signed />
        </span>
      )
    case 'lost':
      return <span className={styles.lost}>{t('betHistory.lost')}</span>
    case 'refunded':
      return <span className={styles.badge}>{t('betHistory.refunded')}</span>
  }
}
