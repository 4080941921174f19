import type { ReactNode } from 'react'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Icon, type IconName } from '#src/parts/icon.tsx'
import styles from '#src/parts/state.module.css'

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

/** Loads an empty list again. */
export function ReloadLink({ onReload }: { onReload: () => void }) {
  const t = useText()
  return (
    <Button kind="plain" size="s" onClick={onReload}>
      <Icon name="refresh" size={18} />
      {t('action.reload')}
    </Button>
  )
}
