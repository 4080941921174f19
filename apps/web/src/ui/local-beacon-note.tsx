import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/ui/icon.tsx'
import styles from '#src/ui/local-beacon-note.module.css'

/** Where the beacon is the operator's own: that he could know results early. */
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
