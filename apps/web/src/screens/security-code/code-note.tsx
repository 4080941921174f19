import { Icon } from '@sum28/ui/icon.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/security-code/code-form.module.css'

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
