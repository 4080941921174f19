import styles from '#src/features/local-beacon-note.module.css'
import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/parts/icon.tsx'

/** If the operator runs the beacon: a note that he could know results early. */
export function LocalBeaconNote() {
  const t = useText()
  return (
    <div className={styles.note} role="note">
      <Icon name="warn" size={22} />
      <div>
        <b>{t('fairness.localTitle')}</b>
        <p>{t('fairness.localText')}</p>
      </div>
    </div>
  )
}

/** The mark of a round whose book no witness saw in time. */
export function NotWitnessed() {
  const t = useText()
  return <span className="caption strong ink-warn">{t('round.notWitnessed')}</span>
}
