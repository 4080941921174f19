import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#src/features/error-state.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data, Error>, 'data' | 'isError' | 'error'> & {
    refetch: () => unknown
  }
  /** The placeholder while the data is loading. */
  skeleton: ReactNode
  /** What to show if the data is empty; false if it is not. */
  empty?: (data: Data) => ReactNode
  children: (data: Data) => ReactNode
}

/**
 * The states of loaded data: loading, failed, empty, ready. Known data stays when a later reload
 * fails.
 */
export function Loaded<Data>({ query, skeleton, empty, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return empty?.(query.data) || children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  return skeleton
}
