import { Button } from '@sum28/ui/button.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
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
    <EmptyState
      failed
      title={t('error.title')}
      hint={error ? failureText(error) : t('failure.unreachable')}
    >
      <Button kind="soft" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </EmptyState>
  )
}
