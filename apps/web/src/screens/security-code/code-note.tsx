import { Icon } from '@sum28/ui/icon.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/security-code/code-form.module.css'

/** The purpose of the code, and the effects of a change. */
export function CodeNote() {
  const t = useText()
  return (
    <p className={styles.note}>
      <Icon name="shield" size={20} />
      {t('securityCode.note')}
    </p>
  )
}
