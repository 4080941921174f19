import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '#src/data/profile.ts'
import { useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import styles from '#src/screens/hall/hall.module.css'

/** The balance; nothing while it is not known. */
export function BalanceChip() {
  const t = useText()
  const { data: profile } = useQuery(profileQuery)
  if (!profile) return null
  return (
    <p className={styles.balance}>
      <span>{t('hall.balance')}</span>
      <AmountText value={profile.balance} className={styles.money} />
    </p>
  )
}
