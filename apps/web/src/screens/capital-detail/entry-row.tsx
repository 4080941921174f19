import { useGameZone } from '#src/data/game-zone.ts'
import type { Entry } from '#src/data/statement-entry.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/capital-detail/entry-row.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { clockTimeText } from '#src/ui/time-text.ts'

const ICONS: Record<Entry['kind'], IconName> = {
  recharge: 'wallet',
  withdrawal: 'logout',
  purchase: 'play',
  profit: 'trophy',
  bonus: 'star',
  refund: 'refresh',
  other: 'card',
}

/** One movement: what it was, what it moved, and what was there afterwards; all decimals. */
export function EntryRow({ entry }: { entry: Entry }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  return (
    <div className={styles.row}>
      <span className={styles.sign} data-in={entry.amount > 0n}>
        <Icon name={ICONS[entry.kind]} size={20} />
      </span>
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.kind}>
            {t(`funds.${entry.kind}`)}
            {entry.state !== 'passed' && (
              <span className={styles.state} data-state={entry.state}>
                {t(`funds.${entry.state}`)}
              </span>
            )}
          </span>
          <b>
            <AmountText value={entry.amount} decimals="all" signed />
          </b>
        </span>
        <span className={styles.line}>
          <span className="num">
            {entry.mark && `${entry.mark} · `}
            {clockTimeText(entry.postedAt, { tag, zone })}
          </span>
          <span>
            {t('funds.after')} <AmountText value={entry.balanceAfter} decimals="all" />
          </span>
        </span>
      </span>
    </div>
  )
}
