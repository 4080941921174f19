import { Icon } from '@sum28/ui/icon.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/take-break/take-break.module.css'

/** The effects of a break: what is closed, and what stays open. */
export function BreakFacts() {
  const t = useText()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>
          <Icon name="pause" size={20} className={styles.stops} />
          {t('break.stops')}
        </dt>
        <dd>{t('break.stopsText')}</dd>
      </div>
      <div>
        <dt>
          <Icon name="check" size={20} className={styles.stays} />
          {t('break.stays')}
        </dt>
        <dd>{t('break.staysText')}</dd>
      </div>
    </dl>
  )
}
