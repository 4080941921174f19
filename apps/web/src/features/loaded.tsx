import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useDeferredValue, useState } from 'react'
import { failureText } from '#src/data/failure.ts'
import styles from '#src/features/loaded.module.css'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Icon, type IconName } from '#src/parts/icon.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data, Error>, 'data' | 'isError' | 'error' | 'errorUpdateCount'> &
    Certainty & { refetch: () => unknown }
  skeleton: ReactNode
  /** What to say if the data is empty, beside a link that loads it again; false if it is not. */
  empty?: (data: Data) => EmptyWords | false
  children: (data: Data) => ReactNode
}

type EmptyWords = Pick<ComponentProps<typeof EmptyState>, 'icon' | 'title' | 'hint'>

type Certainty = { isError: boolean; isFetching?: boolean; isFetchedAfterMount?: boolean }

/**
 * Whether a list that was empty may have grown: it is being fetched again for the first time since the screen opened,
 * or that has failed.
 */
export function mayHaveGrown(query: Certainty): boolean {
  const { isError, isFetching = false, isFetchedAfterMount = true } = query
  return isError || (isFetching && !isFetchedAfterMount)
}

/**
 * The states of loaded data: loading, failed, empty, ready. Known data stays when a later reload
 * fails; that it is empty is said only while it is certain.
 */
export function Loaded<Data>({ query, skeleton, empty, children }: LoadedProps<Data>) {
  const isShown = useShownInSteps(query.data !== undefined)
  // A failure stays while polls try again, or it would flicker for as long as the server is away.
  const [failure, setFailure] = useState(query.error)
  const [dismissed, dismiss] = useState<Error | null>(null)
  if (query.error !== null && query.error !== failure) setFailure(query.error)
  const tryAgain = () => {
    dismiss(failure)
    query.refetch()
  }
  if (query.data !== undefined) {
    const none = empty?.(query.data)
    if (!none) return isShown ? children(query.data) : skeleton
    if (!mayHaveGrown(query)) return <EmptyState {...none} onReload={() => query.refetch()} />
  }
  if (failure !== dismissed && query.errorUpdateCount > 0) {
    return <ErrorState error={failure} onRetry={tryAgain} />
  }
  return skeleton
}

/**
 * Whether what has come is to be shown: a little later, so that React renders it in short steps between which a phone
 * answers a finger. What was there from the beginning is shown at once.
 */
export function useShownInSteps(hasCome: boolean): boolean {
  return useDeferredValue(hasCome) && hasCome
}

type ErrorStateProps = {
  /** If absent, the text says that the server cannot be reached. */
  error?: unknown
  onRetry: () => void
}

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

type EmptyStateProps = {
  icon?: IconName
  /** 'Nothing here yet' by default. */
  title?: string
  hint?: string
  /** Whether loading failed: marked as a warning, and announced by screen readers. */
  failed?: boolean
  onReload?: () => void
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
      <p className="bold">{title ?? t('empty.title')}</p>
      {hint && <p className="quiet narrow">{hint}</p>}
      {onReload && <ReloadLink onReload={onReload} />}
      {children && <div className={styles.more}>{children}</div>}
    </div>
  )
}

export function ReloadLink({ onReload }: { onReload: () => void }) {
  const t = useText()
  return (
    <Button kind="plain" size="s" onClick={onReload}>
      <Icon name="refresh" size={18} />
      {t('action.reload')}
    </Button>
  )
}
