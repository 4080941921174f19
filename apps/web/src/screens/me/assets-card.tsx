import type { Profile } from '@sum28/contract/replies.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { useCountingAmount } from '@sum28/ui/use-counting-amount.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/me/assets-card.module.css'

type AssetsCardProps = { profile: Profile; onRecharge: () => void }

/** The player's balance, with deposit and withdrawal. */
export function AssetsCard({ profile, onRecharge }: AssetsCardProps) {
  const t = useText()
  const money = useCountingAmount(amountFromWire(profile.money))
  return (
    <div className={styles.card}>
      <span className={styles.label}>{t('me.assets')}</span>
      <span className={styles.total}>
        <AmountText value={money} unit={false} />
        <small>u</small>
      </span>
      <div className={styles.ways}>
        <button type="button" className={styles.first} onClick={onRecharge}>
          {t('deposit.title')}
        </button>
        <Link
          className={styles.second}
          to={href('withdrawal', { group_id: String(profile.group_id) })}
        >
          {t('withdrawal.title')}
        </Link>
      </div>
    </div>
  )
}
