import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/set-security-code/code-form.module.css'
import { Icon } from '#src/ui/icon.tsx'

/** What the code is for, and what changing it brings with it. */
export function CodeNote() {
  const t = useText()
  return (
    <p className={styles.note}>
      <Icon name="shield" size={20} />
      {t('securityCode.note')}
    </p>
  )
}
