import { Button } from '@sum28/ui/button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import styles from '@sum28/ui/state.module.css'
import { failureText } from '#src/data/failure.ts'
import { useText } from '#src/i18n/text.ts'

type ErrorStateProps = {
  /** If absent, the text says that the server cannot be reached. */
  error?: unknown
  onRetry: () => void
}

/** Shown if data could not be loaded: the reason, and a button to try again. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const t = useText()
  return (
    <div className={styles.state} role="alert">
      <span className={styles.icon} data-tone="warn">
        <Icon name="warn" size={28} />
      </span>
      <p className={styles.title}>{t('error.title')}</p>
      <p className={styles.hint}>{error ? failureText(error) : t('failure.unreachable')}</p>
      <div className={styles.more}>
        <Button kind="soft" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </div>
    </div>
  )
}
