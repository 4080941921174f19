import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/icon.tsx'
import { ReloadLink } from '#src/reload-link.tsx'
import styles from '#src/state.module.css'
import { useText } from '#src/text.ts'

type EmptyStateProps = {
  icon?: IconName
  /** 'Nothing here yet' unless told. */
  title?: string
  hint?: string
  /** Shows the reload link. */
  onReload?: () => void
  /** Other ways on, such as a button. */
  children?: ReactNode
}

/** Where a list has nothing to show. */
export function EmptyState({ icon = 'empty', title, hint, onReload, children }: EmptyStateProps) {
  const t = useText()
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon name={icon} size={28} />
      </span>
      <p className={styles.title}>{title ?? t('empty.title')}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {onReload && <ReloadLink onReload={onReload} />}
      {children && <div className={styles.more}>{children}</div>}
    </div>
  )
}
