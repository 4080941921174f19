import type { Amount } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { useCountingAmount } from '@sum28/ui/use-counting-amount.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/withdrawal/balance-card.module.css'

/** The balance that can be withdrawn. */
export function BalanceCard({ balance }: { balance: Amount }) {
  const t = useText()
  const shown = useCountingAmount(balance)
  return (
    <Card className={styles.card}>
      <span>{t('withdrawal.balance')}</span>
      <AmountText value={shown} />
    </Card>
  )
}
