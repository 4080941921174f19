import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/icon.tsx'
import { ReloadLink } from '#src/reload-link.tsx'
import styles from '#src/state.module.css'
import { useText } from '#src/text.ts'

type EmptyStateProps = {
  icon?: IconName
  /** 'Nothing here yet' by default. */
  title?: string
  hint?: string
  /** Whether loading failed: marked as a warning, and announced by screen readers. */
  failed?: boolean
  /** Shows the reload link. */
  onReload?: () => void
  /** Further elements, such as a button. */
  children?: ReactNode
}

/** Shown instead of an empty list, or of data that could not be loaded. */
export function EmptyState(props: EmptyStateProps) {
  const {
    failed = false,
    icon = failed ? 'warn' : 'empty',
    title,
    hint,
    onReload,
    children,
  } = props
  const t = useText()
  return (
    <div className={styles.state} role={failed ? 'alert' : undefined}>
      <span className={styles.icon} data-tone={failed ? 'warn' : undefined}>
        <Icon name={icon} size={28} />
      </span>
      <p className={styles.title}>{title ?? t('empty.title')}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {onReload && <ReloadLink onReload={onReload} />}
      {children && <div className={styles.more}>{children}</div>}
    </div>
  )
}
