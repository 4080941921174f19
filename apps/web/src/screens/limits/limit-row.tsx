import type { Amount } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { amountText } from '@sum28/ui/amount-format.ts'
import { Icon } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { dayHeading } from '@sum28/ui/time-text.ts'
import { type Limit, pendingRaise } from '#src/data/protection.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/limits/limit-row.module.css'

type LimitRowProps = { limit: Limit; onPress: () => void }

/** A limit in its list: its amount, its author, the rest, and when its next period begins. */
export function LimitRow({ limit, onPress }: LimitRowProps) {
  const t = useText()
  const { period, amount, by } = limit
  return (
    <button type="button" className={styles.row} onClick={onPress}>
      <span className="lines grow">
        <span className={styles.line}>
          <b className={styles.period}>{t(`limits.period.${period}`)}</b>
          {amount === null ? (
            <span className={styles.none}>{t('limits.none')}</span>
          ) : (
            <AmountText value={amount} className={styles.amount} />
          )}
        </span>
        {by !== null && <span className="hint">{t(`limits.by.${by}`)}</span>}
        <Usage limit={limit} />
        <Waiting limit={limit} />
      </span>
      <Icon name="forward" size={16} className={styles.arrow} />
    </button>
  )
}

function Usage({ limit: { amount, left, nextPeriodAt } }: { limit: Limit }) {
  const t = useText()
  const { tag } = useLocale()
  const when = useTimeFormat()
  if (amount === null || left === null) return null
  const share = usedShare(amount, left)
  return (
    <>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${share}%` }} data-full={left === 0n} />
      </span>
      <span className={styles.line}>
        <span className="quiet num">
          {t('limits.leftOver', { amount: amountText(left, { tag }) })}
        </span>
        <span className={styles.anew}>
          {t('limits.anew', { day: dayHeading(nextPeriodAt, when) })}
        </span>
      </span>
    </>
  )
}

/** The used part of a limit in percent: 0 for a loss limit of a player who has won. */
function usedShare(amount: Amount, left: Amount): number {
  if (left >= amount) return amount === 0n ? 100 : 0
  return Number((100n * (amount - left)) / amount)
}

/** Shows that a higher limit is pending, or can be confirmed. */
function Waiting({ limit }: { limit: Limit }) {
  const t = useText()
  const { soon } = useLimitWords()
  const raise = pendingRaise(limit, Date.now())
  if (!raise) return null
  return (
    <span className={styles.waiting}>
      <Icon name="clock" size={16} />
      {raise.ready ? t('limits.ready') : t('limits.waiting', { time: soon(raise.from) })}
    </span>
  )
}
