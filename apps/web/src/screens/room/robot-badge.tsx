import { Icon } from '@sum28/ui/icon.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/feed.module.css'

/** Marks an entry of a robot. */
export function RobotBadge() {
  const t = useText()
  return (
    <span className={styles.robot}>
      <Icon name="robot" size={12} />
      {t('feed.robot')}
    </span>
  )
}
