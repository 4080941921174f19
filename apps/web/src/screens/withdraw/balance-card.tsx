import type { Amount } from '@sum28/domain/money.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/withdraw/balance-card.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { Card } from '#src/ui/card.tsx'
import { useCountingAmount } from '#src/ui/use-counting-amount.ts'

/** What there is to withdraw. */
export function BalanceCard({ balance }: { balance: Amount }) {
  const t = useText()
  const shown = useCountingAmount(balance)
  return (
    <Card className={styles.card}>
      <span>{t('withdraw.balance')}</span>
      <AmountText value={shown} />
    </Card>
  )
}
