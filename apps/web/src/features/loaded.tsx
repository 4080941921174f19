import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '#src/features/error-state.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data, Error>, 'data' | 'isError' | 'error'> & {
    refetch: () => unknown
  }
  /** In the shape of what is on its way. */
  skeleton: ReactNode
  /** What to show instead of data that has nothing in it; false where it has something. */
  empty?: (data: Data) => ReactNode
  children: (data: Data) => ReactNode
}

/**
 * The states that every loaded thing has: on its way, failed, empty, there. Data once there stays
 * while a later reload fails.
 */
export function Loaded<Data>({ query, skeleton, empty, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return empty?.(query.data) || children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  return skeleton
}
